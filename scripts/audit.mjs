// Asks the registry for known faults of all that a user runs: the packages that npm installs, and those inside the bundles,
// which `npm audit --omit=dev` takes for tools. Needs a registry that answers for advisories; where one does not, it fails.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const bundled = readFileSync(join(root, "dist", "bundle", "LICENSES.txt"), "utf8").matchAll(
  /^((?:@[\w-]+\/)?[\w.-]+) (\d+\.\d+\.\d+)$/gm,
);
const shipped = { ...Object.fromEntries([...bundled].map(([, name, version]) => [name, version])), ...dependencies };

const folder = mkdtempSync(join(tmpdir(), "context-audit-"));
try {
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, dependencies: shipped }));
  console.log(
    Object.entries(shipped)
      .map(([name, version]) => `${name} ${version}`)
      .join("\n"),
  );
  for (const words of [["install", "--package-lock-only", "--ignore-scripts", "--no-audit", "--no-fund"], ["audit"]]) {
    const ran = spawnSync("npm", words, { cwd: folder, stdio: "inherit" });
    if (ran.status !== 0) {
      console.error(
        `npm ${words[0]} ended with ${ran.status}: a package has a known fault, or the registry does not answer.`,
      );
      process.exitCode = 1;
      break;
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
