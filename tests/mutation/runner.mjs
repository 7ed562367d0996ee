// A test runner for Stryker: see bundle.mjs and collect.mjs for how it is fast.
import { commonTokens, declareClassPlugin, PluginKind, tokens } from "@stryker-mutator/api/plugin";
import {
  DryRunStatus,
  determineHitLimitReached,
  TestStatus,
  toMutantRunResult,
} from "@stryker-mutator/api/test-runner";
import { bundle } from "./bundle.mjs";
import { testsOf } from "./rooms.mjs";

class RoomRunner {
  static inject = tokens(commonTokens.options);

  #room;
  #load;
  #loaded;
  /** Milliseconds of each test, as it is: the quick ones go first, and most mutants do not live to see the slow ones. */
  #times = new Map();
  #state = Reflect.get(globalThis, "__stryker__") ?? {};

  constructor(options) {
    this.#room = options.room;
    Reflect.set(globalThis, "__stryker__", this.#state);
  }

  capabilities() {
    return { reloadEnvironment: true };
  }

  async init() {
    const folder = process.cwd();
    this.#load = await bundle(folder, testsOf(folder, this.#room));
  }

  async dryRun() {
    const failed = await this.#reload();
    if (failed !== null) return { status: DryRunStatus.Error, errorMessage: failed.failureMessage };
    const tests = await this.#run(this.#loaded.tests, false);
    for (const { id, timeSpentMs } of tests) this.#times.set(id, timeSpentMs);
    return { status: DryRunStatus.Complete, tests, mutantCoverage: this.#state.mutantCoverage };
  }

  /** Killed is only what fails with the mutant and passes without it; survived only what survives in fresh modules too. */
  async mutantRun({ activeMutant, testFilter, hitLimit, mutantActivation }) {
    const attempt = async (isFresh) => {
      this.#state.hitCount = hitLimit === undefined ? undefined : 0;
      this.#state.hitLimit = hitLimit;
      this.#state.activeMutant = mutantActivation === "static" ? activeMutant.id : undefined;
      if (isFresh) {
        const failed = await this.#reload();
        if (failed !== null) return this.#result([failed]);
      }
      this.#state.activeMutant = activeMutant.id;
      // What is made once and kept, such as a pattern, is reached by the first test that asks for it, and used by others.
      const isForAll = testFilter === undefined || (isFresh && testFilter.length === 1);
      const wanted = new Set(testFilter);
      const covering = this.#loaded.tests.filter(({ id }) => isForAll || wanted.has(id));
      covering.sort((one, other) => this.#timeOf(one) - this.#timeOf(other));
      return this.#result(await this.#run(covering, true));
    };
    if (mutantActivation !== "static") {
      this.#state.activeMutant = undefined;
      this.#state.hitCount = undefined;
      if (this.#loaded === undefined) await this.#reload();
      const hot = await attempt(false);
      this.#state.activeMutant = undefined;
      if (hot.status === "timeout") return this.#forget(hot);
      if (hot.status === "killed") {
        this.#state.hitCount = undefined;
        const again = this.#loaded.tests.filter(({ id }) => hot.killedBy.includes(id));
        if ((await this.#run(again, true)).every(({ status }) => status === TestStatus.Success)) return hot;
      }
    }
    return this.#forget(await attempt(true));
  }

  #timeOf({ id }) {
    return this.#times.get(id) ?? 0;
  }

  #result(tests) {
    const reached = determineHitLimitReached(this.#state.hitCount, this.#state.hitLimit);
    return toMutantRunResult(reached ?? { status: DryRunStatus.Complete, tests });
  }

  /** Modules that ran a mutant while they were loaded are of no further use. */
  #forget(result) {
    this.#loaded = undefined;
    return result;
  }

  async #reload() {
    await this.#loaded?.end();
    try {
      this.#loaded = this.#load();
      return null;
    } catch (error) {
      this.#loaded = undefined;
      return { id: "load", name: "load", timeSpentMs: 0, status: TestStatus.Failed, failureMessage: String(error) };
    }
  }

  async #run(tests, stopsAtFailure) {
    const results = [];
    for (const each of tests) {
      this.#state.currentTestId = each.id;
      globalThis.mutation.running = each.file;
      const started = performance.now();
      const result = { id: each.id, name: each.name, fileName: each.file, status: TestStatus.Success };
      try {
        await this.#loaded.run(each);
      } catch (error) {
        result.status = TestStatus.Failed;
        result.failureMessage = error instanceof Error ? error.message : String(error);
      }
      this.#state.currentTestId = undefined;
      results.push({ ...result, timeSpentMs: performance.now() - started });
      if (stopsAtFailure && result.status === TestStatus.Failed) break;
    }
    return results;
  }

  async dispose() {
    await this.#loaded?.end();
  }
}

export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, "room", RoomRunner)];
