/** Whether a simple command runs tests. `verb` is the program, `words` begins with it. */
export function runsTests(verb: string, words: readonly string[]): boolean {
  const rest = withoutPlaces(verb, words.slice(1));
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
    case "node":
      return words.includes("--test") || RUNNERS.has(RUNNER_FILE.exec(first ?? "")?.[1] ?? "");
    case "docker":
    case "docker-compose":
    case "podman":
      return testsInContainer(rest);
    case "php":
      return (first === "artisan" && second === "test") || RUNNERS.has((first ?? "").replace(/^.*[/\\]/s, ""));
    case "composer":
    case "turbo":
    case "nx":
    case "lerna":
      return rest.some(scriptTests);
    case "coverage":
      return first === "run" && modulesTest(words);
    case "cargo": {
      const name = first?.startsWith("+") ? second : first;
      return name === "test" || name === "t" || name === "nextest";
    }
    case "mvn":
    case "mvnw":
    case "mvnd":
      return rest.some((word) => word === "test" || word === "verify" || word === "integration-test");
    case "gradle":
    case "gradlew":
      return rest.some((word) => /(?:^|:)(?:test|check|[a-zA-Z]{1,40}Test)$/.test(word));
    case "make":
    case "gmake":
      return rest.some((word) => scriptTests(word) || word === "check");
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
      if (/^py(?:thon)?[0-9.]{0,6}$/.test(verb))
        return modulesTest(words) || (first === "manage.py" && second === "test");
      return RUNNERS.has(verb) || (verb.endsWith(".sh") && scriptTests(verb.slice(0, -3)));
  }
}

/** What `docker exec`, `docker compose run` and their like start behind the container's name. */
function testsInContainer(words: readonly string[]): boolean {
  const at = words.findIndex((word) => word === "exec" || word === "run");
  let name = at === -1 ? words.length : at + 1;
  for (let word = words[name]; word?.startsWith("-"); word = words[name]) name += CONTAINER_VALUES.test(word) ? 2 : 1;
  const [program = "", ...args] = words.slice(name + 1);
  const verb = program.replace(/^.*[/\\]/s, "");
  return !/^(?:docker|docker-compose|podman)$/.test(verb) && runsTests(verb, [verb, ...args]);
}

const CONTAINER_VALUES = /^(?:-[euwv]|--(?:env|user|workdir|volume|name|network|entrypoint))$/;

/** `-m pytest` and its like, the one behind `-m coverage run` too. */
function modulesTest(words: readonly string[]): boolean {
  return words.some((word, at) => word === "-m" && /^(?:pytest|unittest|nose2)$/.test(words[at + 1] ?? ""));
}

/** Without the options that say where a package manager works, and their values. */
function withoutPlaces(verb: string, words: readonly string[]): readonly string[] {
  const places = PLACES.get(verb);
  if (places === undefined) return words;
  if (verb === "yarn" && words[0] === "workspace") return words.slice(2);
  return words.filter((word, at) => !places.includes(word) && !places.includes(words[at - 1] ?? ""));
}

const PLACES: ReadonlyMap<string, readonly string[]> = new Map([
  ["npm", ["--prefix", "-w", "--workspace", "-C"]],
  ["pnpm", ["--filter", "-F", "-C", "--dir"]],
  ["yarn", ["--cwd"]],
  ["bun", ["--cwd", "--filter"]],
  ["make", ["-C", "-f", "-j"]],
  ["mvn", ["-pl", "-f", "-P"]],
]);

// `node node_modules/vitest/vitest.mjs`, `node node_modules/.bin/jest`
const RUNNER_FILE = /(?:^|[/\\])([a-z]{1,20})(?:\.[cm]?js)?$/;

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

/** They start no other of them: so far no words can lead. */
const STARTERS: ReadonlySet<string> = new Set(
  "npx pnpx bunx uvx npm pnpm yarn bun uv poetry pipenv hatch pdm rye bundle docker docker-compose podman".split(" "),
);

/** A script or target whose name says that it tests: `test`, `test:unit`, `unit-tests`, `e2e`. */
function scriptTests(name: string | undefined): boolean {
  return name !== undefined && /(?:^|[:_.-])(?:tests?|specs?|e2e)(?:$|[:_.-])/.test(name);
}
