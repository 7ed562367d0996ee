import { build } from "esbuild";
import { expect, test } from "vitest";

const LIGHT = [
  "src/base/frontmatter.ts",
  "src/projects/overview.ts",
  "src/projects/steps.ts",
  "src/resume/gate.ts",
  "src/resume/manifest-paths.ts",
  "src/resume/manifest-values.ts",
  "src/resume/precompact-state.ts",
];

async function packagesOf(entry: string): Promise<readonly string[]> {
  const { metafile } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    metafile: true,
    platform: "node",
  });
  return Object.keys(metafile.inputs).filter((path) => path.includes("node_modules"));
}

test.each(LIGHT)("a hook that loads %s loads no package with it", async (entry) => {
  expect(await packagesOf(entry)).toEqual([]);
});

test("a package that is loaded is seen", async () => {
  expect(await packagesOf("src/resume/precompact-state-schema.ts")).not.toEqual([]);
});
