/** Whether a simple command runs tests. `verb` is the program, `words` begins with it. */
export function runsTests(verb: string, words: readonly string[]): boolean {
  const rest = words.slice(1);
  const [first, second] = rest.filter((word) => !word.startsWith("-"));
  switch (verb) {
    case "npm":
    case "pnpm":
    case "yarn":
    case "bun":
      if (first === "exec" || first === "dlx" || first === "x") return runsBehind(rest, first);
      if (scriptTests(first === "run" || first === "run-script" ? second : first) || first === "t") return true;
      // All but npm run a program of the project by its bare name.
      return verb !== "npm" && runsBehind(rest, null);
    case "npx":
    case "pnpx":
    case "bunx":
    case "uvx":
      return runsBehind(rest, null);
    case "uv":
    case "poetry":
    case "pipenv":
    case "hatch":
    case "pdm":
    case "rye":
      return first === "run" && runsBehind(rest, "run");
    case "bundle":
      return first === "exec" && runsBehind(rest, "exec");
    case "python":
    case "python3":
    case "py": {
      const module = words[words.indexOf("-m") + 1];
      return words.includes("-m") && (module === "pytest" || module === "unittest" || module === "nose2");
    }
    case "node":
      return words.includes("--test");
    case "cargo":
      return first === "test" || first === "t" || first === "nextest";
    case "mvn":
    case "mvnw":
    case "mvnd":
      return rest.some((word) => word === "test" || word === "verify" || word === "integration-test");
    case "gradle":
    case "gradlew":
      return rest.some((word) => /(?:^|:)(?:test|check|[a-zA-Z]{1,40}Test)$/.test(word));
    case "make":
    case "gmake":
    case "just":
    case "task":
    case "rake":
    case "ninja":
      return rest.some(scriptTests);
    case "playwright":
    case "go":
    case "dotnet":
    case "swift":
    case "mix":
    case "flutter":
    case "dart":
    case "deno":
    case "bazel":
    case "bazelisk":
    case "sbt":
    case "lein":
    case "stack":
    case "cabal":
    case "meson":
    case "rails":
    case "zig":
    case "ng":
      return rest.some((word) => word === "test");
    case "cypress":
      return first === "run";
    default:
      return RUNNERS.has(verb);
  }
}

const RUNNERS: ReadonlySet<string> = new Set(
  "vitest jest mocha ava tap jasmine karma pytest py.test tox nox nose2 ctest rspec phpunit pest bats busted gotestsum".split(
    " ",
  ),
);

/** The command that `npx`, `poetry run` and their like start. */
function runsBehind(words: readonly string[], behind: string | null): boolean {
  const from = behind === null ? 0 : words.indexOf(behind) + 1;
  const at = words.findIndex((word, index) => index >= from && !word.startsWith("-"));
  const program = words[at];
  if (program === undefined) return false;
  // `vitest@3` names a version.
  const verb = program.replace(/^.*[/\\]/s, "").replace(/(?<=.)@.*$/s, "");
  return !STARTERS.has(verb) && runsTests(verb, [verb, ...words.slice(at + 1)]);
}

const STARTERS: ReadonlySet<string> = new Set([
  "npx",
  "pnpx",
  "bunx",
  "uvx",
  "npm",
  "pnpm",
  "yarn",
  "bun",
  "uv",
  "poetry",
]);

/** A script or target whose name says that it tests: `test`, `test:unit`, `unit-tests`, `e2e`. */
function scriptTests(name: string | undefined): boolean {
  return name !== undefined && /(?:^|[:_.-])(?:tests?|specs?|e2e)(?:$|[:_.-])/.test(name);
}
