import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { projectFinder } from "../../src/transcript/project-path.ts";
import { shellPaths } from "../../src/transcript/shell-paths.ts";
import { cpuTime } from "../helpers/cpu-time.ts";
import { OPTIONS, ROOT } from "./helpers.ts";

function projects(command: string, cwd = ROOT): string {
  const found = new Map<string, boolean>();
  for (const { path, base, writes } of shellPaths(command, cwd, OPTIONS)) {
    const id = projectFinder(OPTIONS)(path, base);
    if (id !== null) found.set(id, writes || (found.get(id) ?? false));
  }
  return [...found].map(([id, writes]) => (writes ? `${id}!` : id)).join(" ");
}

const IN_24 = `${ROOT}/02-projects/24-a`;

describe("the projects that a shell command works on (! = writes)", () => {
  it.each([
    ["cat 02-projects/24-a/x", "24-a"],
    ["cat 02-projects/24-a/x 02-projects/27-b/y", "24-a 27-b"],
    ["cd 02-projects/24-a && ls 01-planning", "24-a"],
    ["cd 02-projects && cat 24-a/x; cat ../02-projects/27-b/x", "24-a 27-b"],
    ["(cd 02-projects/24-a; make); cat x", "24-a"],
    ["cat '/home/dev/acme/02-projects/24-a/a b.md'", "24-a"],
    ['cat "$CLAUDE_PROJECT_DIR/02-projects/24-a/é ü"', "24-a"],
    ["cat 02-projects/24-a/a\\ b", "24-a"],
    ["type 02-projects\\24-a\\x.md", "24-a"],
    ["grep -rn --include=*.md x 02-projects/24-a", "24-a"],
    ["tool --file=02-projects/24-a/x", "24-a"],
    ["git -C 02-projects/24-a status", "24-a"],
    ['bash -lc "cd 02-projects/24-a && ls"', "24-a"],
    ["node -e \"fs.readFileSync('02-projects/24-a/x')\"", "24-a"],
    ["python3 - <<'EOF'\np = Path('02-projects/24-a/x')\np.write_text('y')\nEOF", "24-a"],
    ["cd 02-projects && node <<EOF\nfs.rmSync('24-a/x')\nEOF", "24-a"],
    ["cat <<EOF > a.py\nopen('02-projects/24-a/x')\nEOF\npython3 a.py", ""],
    ["FOO=1 sudo cat 02-projects/24-a/x", "24-a"],
    ["cat < 02-projects/24-a/x", "24-a"],
    ["x=$(cat 02-projects/24-a/x)", "24-a"],
    ["echo x > 02-projects/24-a/x", "24-a!"],
    ["echo x 2>&1 >>02-projects/24-a/x", "24-a!"],
    ["sed -i s/a/b/ 02-projects/24-a/x", "24-a!"],
    ["rm -rf 02-projects/24-a/tmp", "24-a!"],
    ["cp 02-projects/24-a/x 02-projects/27-b/x", "24-a 27-b!"],
    ["tee 02-projects/24-a/x <<'EOF'\n02-projects/27-b/y\nEOF\ncat 02-projects/25-c/z", "24-a! 25-c"],
    ["git add 02-projects/24-a/x && git commit -m 'like 02-projects/27-b/y'", "24-a!"],
    ["echo 02-projects/24-a/x", ""],
    ["# 02-projects/24-a/x\nls", ""],
    ["cat /srv/other/02-projects/24-a/x", ""],
    ["cd /srv/other && cat 02-projects/24-a/x", ""],
    ["ls 02-projects", ""],
    ["cat 'unclosed 02-projects", ""],
    ["", ""],
  ])("%j: %j", (command, expected) => {
    expect(projects(command)).toBe(expected);
  });

  it.each([
    ["cat 01-planning/x", "24-a"],
    ["ls", "24-a"],
    ["npm test 2>&1 | tail -5", "24-a"],
    ["sed -i s/a/b/ x", "24-a!"],
    ["cat ../27-b/x", "27-b"],
    ["cat /home/dev/acme/02-projects/27-b/x", "27-b"],
    ["cd /home/dev/acme && ls 04-workspace", ""],
    ["echo done", ""],
    ["pwd", ""],
  ])("from inside 24-a, %j: %j", (command, expected) => {
    expect(projects(command, IN_24)).toBe(expected);
  });

  it("reads any text without a throw", () => {
    const shell = fc.string({ unit: fc.constantFrom(..."ab/ '\"\\\n<>()$&|;#-`{}=~.") });
    fc.assert(
      fc.property(shell, (command) => {
        expect(projects(command)).toBe("");
      }),
      { numRuns: 500 },
    );
  });

  it.each(["a", "'", '"', "\\", "<<", "(", " ", "\n", "a;", "<<a\n", "$(", ">&", "perl <<a\n", "bash;<<'/' "])(
    "reads 200 kB of %j in one pass",
    (unit) => {
      const start = cpuTime();
      shellPaths(unit.repeat(200_000 / unit.length), ROOT, OPTIONS);
      expect(cpuTime() - start).toBeLessThan(2_000);
    },
  );
});
