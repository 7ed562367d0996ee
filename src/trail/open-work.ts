import type { PlacedCommand } from "../transcript/shell-commands.ts";
import type { Call } from "./context.ts";
import { covers, type TestScope, testScope } from "./test-cover.ts";

export interface FailedWork {
  readonly call: Call;
  readonly what: string;
  /** How often it failed since it last succeeded. */
  readonly times: number;
}

export interface OpenWork {
  readonly fail: (failed: {
    readonly call: Call;
    readonly what: string;
    /** What must succeed for it to be answered. */
    readonly keys: readonly string[];
    /** The test runs among them, each with its key. */
    readonly tests?: readonly TestWork[];
  }) => void;
  readonly answer: (key: string) => void;
  /** A test run passed: it answers every run that it takes in. */
  readonly passed: (command: PlacedCommand) => void;
  readonly waitsForFiles: () => boolean;
  /** What nothing answered, newest first. */
  readonly open: () => readonly FailedWork[];
}

/** A command that runs tests. */
export interface TestWork {
  readonly key: string;
  readonly command: PlacedCommand;
  /** Whether the exit code of the whole call tells how it ended. */
  readonly isProved: boolean;
}

/** Keeps what failed until all that it waits for has succeeded. */
export function openWork(): OpenWork {
  const open = new Map<string, FailedWork & { readonly waitingFor: Set<string> }>();
  const waiting = new Map<string, Set<string>>();
  const tests = new Map<string, TestScope>();
  let files = 0;
  const answer = (key: string): void => {
    const names = waiting.get(key);
    if (names === undefined) return;
    waiting.delete(key);
    tests.delete(key);
    if (key.startsWith("write ")) files -= 1;
    for (const name of names) {
      const failure = open.get(name);
      if (failure?.waitingFor.delete(key) && failure.waitingFor.size === 0) open.delete(name);
    }
  };
  return {
    answer,
    fail: ({ call, what, keys, tests: runs = [] }) => {
      const name = keys.join("\n");
      const times = (open.get(name)?.times ?? 0) + 1;
      open.delete(name);
      open.set(name, { call, what, times, waitingFor: new Set(keys) });
      for (const key of keys) {
        const names = waiting.get(key);
        if (names !== undefined) names.add(name);
        else {
          waiting.set(key, new Set([name]));
          if (key.startsWith("write ")) files += 1;
        }
      }
      for (const { key, command } of runs) {
        tests.delete(key);
        tests.set(key, testScope(command));
      }
      for (const key of tests.keys()) if (tests.size > MOST_TESTS) tests.delete(key);
    },
    passed: (command) => {
      const scope = testScope(command);
      for (const [key, failed] of tests) if (covers(scope, failed)) answer(key);
    },
    waitsForFiles: () => files > 0,
    open: () => [...open.values()].reverse(),
  };
}

// Each run that passes is compared with all of them: the bound keeps that linear.
const MOST_TESTS = 100;
