// What the pure rooms' tests use of vitest, run in this process: a mutant takes milliseconds, where a worker for each
// would take a third of a second. `expect` is vitest's own.
import * as vitestExpect from "@vitest/expect";

const { chai, GLOBAL_EXPECT, JestChaiExpect, JestAsymmetricMatchers, JestExtend, ASYMMETRIC_MATCHERS_OBJECT } =
  vitestExpect;
chai.use(JestExtend);
chai.use(JestChaiExpect);
chai.use(JestAsymmetricMatchers);

/** What takes seconds, or shows in a large text alone, is not run for each mutant. */
const SLOW =
  /megabyte|million|hundred thousand|ten thousand|[0-9] kB|linear time|in time that grows|time in proportion|one pass|takes less than/;

/** The parts of vitest that tests import, and the tests that they made. */
export function collector() {
  const tests = [];
  const state = { file: "", suite: suiteOf("", null), finished: [] };
  const names = new Map();

  const describe = (name, body) => {
    const outer = state.suite;
    state.suite = suiteOf(name, outer);
    body();
    state.suite = outer;
  };
  describe.each = (rows) => (name, body) =>
    eachOf(rows, (row, index) => describe(`${name} ${index}`, () => body(...row)));
  describe.skipIf = (skipped) => (skipped ? () => {} : describe);

  const test = (name, options, body) => {
    const run = typeof options === "function" ? options : body;
    if (SLOW.test(`${state.suite.path}${name}`)) return;
    const full = `${state.file}#${state.suite.path}${name}`;
    const count = (names.get(full) ?? 0) + 1;
    names.set(full, count);
    const id = count === 1 ? full : `${full} ${count}`;
    tests.push({ id, name: id.slice(state.file.length + 1), file: state.file, suite: state.suite, run });
  };
  test.each = (rows) => (name, options, body) =>
    eachOf(rows, (row, index) => {
      const run = typeof options === "function" ? options : body;
      test(`${name} ${index}`, () => run(...row));
    });
  test.skipIf = (skipped) => (skipped ? () => {} : test);

  const expect = (value, message) => chai.expect(value, message);
  Object.assign(expect, chai.expect, globalThis[ASYMMETRIC_MATCHERS_OBJECT]);
  Reflect.set(globalThis, GLOBAL_EXPECT, expect);

  const vitest = {
    describe,
    test,
    it: test,
    expect,
    beforeAll: (hook) => state.suite.before.push(hook),
    afterAll: (hook) => state.suite.after.push(hook),
    onTestFinished: (hook) => state.finished.push(hook),
  };

  /** Throws what the test throws. */
  const run = async ({ id, suite, run: body }) => {
    vitestExpect.setState({ assertionCalls: 0, currentTestName: id }, expect);
    for (const each of lineage(suite)) {
      for (const hook of each.before.splice(0)) await hook();
    }
    try {
      await body({ expect });
    } finally {
      for (const hook of state.finished.splice(0)) await hook();
    }
  };
  const end = async () => {
    for (const suite of new Set(tests.flatMap(({ suite: own }) => lineage(own)))) {
      for (const hook of suite.after.splice(0)) await hook();
    }
  };
  const enter = (file) => {
    state.file = file;
    state.suite = suiteOf("", null);
  };
  return { vitest, tests, run, end, enter, fileNow: () => state.file };
}

function suiteOf(name, outer) {
  return { path: outer === null ? "" : `${outer.path}${name} `, outer, before: [], after: [] };
}

function lineage(suite) {
  return suite === null ? [] : [...lineage(suite.outer), suite];
}

function eachOf(rows, make) {
  for (const [index, row] of [...rows].entries()) make(Array.isArray(row) ? row : [row], index);
}
