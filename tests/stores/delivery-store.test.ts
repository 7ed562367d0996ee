import { existsSync, readdirSync, readFileSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { type Delivery, deliveredBy, lastDelivery } from "../../src/stores/delivery-store.ts";
import type { ProjectPaths } from "../../src/stores/paths.ts";
import { remove } from "../platform/scripts.ts";
import { NOW, project } from "./projects.ts";
import { put } from "./workspace-files.ts";

let paths: ProjectPaths;

beforeEach(() => {
  paths = project();
  return () => remove(paths.root);
});

const START: Delivery = {
  ...{ sessionId: "s", what: "session-start.1.2040", event: "compact", growing: false, by: "/plugin" },
};

/** Who printed it before, so many seconds after the first. */
function asked(seconds: number, changes: Partial<Delivery> = {}): string | null {
  return deliveredBy(paths, { ...START, ...changes }, new Date(NOW.getTime() + seconds * 1000));
}

const marks = (): readonly string[] => readdirSync(join(paths.cache, "deliveries")).sort();

describe("for one event of a session", () => {
  test("the first who asks prints, and every other one within a minute is told who did", () => {
    expect(asked(0)).toBeNull();
    expect(asked(60, { by: "/project" })).toBe("/plugin");
    expect(asked(-60, { by: "/project" })).toBe("/plugin");
    expect(asked(61, { by: "/project" })).toBeNull();
    expect(marks()).toEqual(["s.session-start.1.2040", "s.session-start.1.2040.2"]);
    // A clock that was put back by more makes no event of long ago out of one to come.
    expect(asked(-61, { by: "/other" })).toBeNull();
  });

  test("the first is known by a transcript that was shorter, or not there yet, where the client writes meanwhile", () => {
    const growing = { event: "startup", growing: true };
    const of = (length: string, more: Partial<Delivery> = {}) => ({
      ...growing,
      what: `session-start.1.${length}`,
      ...more,
    });
    expect(asked(0, of("-"))).toBeNull();
    expect(asked(1, of("2040", { by: "/project" }))).toBe("/plugin");
    expect(asked(1, of("2040", { by: "/other", what: "session-start.2.2040" }))).toBeNull();
    expect(asked(1, of("2050", { by: "/other", event: "clear" }))).toBeNull();
    expect(asked(1, of("2060", { by: "/other", growing: false }))).toBeNull();
    // A shorter one is none that it grew from, and what was long ago is another event.
    expect(asked(10, of("3000"))).toBeNull();
    expect(asked(11, of("2999", { by: "/other" }))).toBeNull();
    expect(asked(14, of("3001", { by: "/other" }))).toBeNull();
  });

  test("who asks again is told so, and others count from then on", () => {
    expect(asked(0)).toBeNull();
    expect(asked(50)).toBe("/plugin");
    expect(asked(100, { by: "/project" })).toBe("/plugin");
    // What another one asks is no news of the first.
    expect(asked(111, { by: "/project" })).toBeNull();
  });

  test("another event, session, part or length of the transcript is printed for itself", () => {
    expect(asked(0)).toBeNull();
    expect(asked(0, { event: "resume", by: "/project" })).toBeNull();
    expect(asked(0, { event: "resume", by: "/plugin" })).toBe("/project");
    expect(asked(0, { sessionId: "t", by: "/project" })).toBeNull();
    expect(asked(0, { what: "session-start.2.2040", by: "/project" })).toBeNull();
    expect(asked(0, { what: "session-start.1.2041", by: "/project" })).toBeNull();
    expect(asked(0, { by: "/project" })).toBe("/plugin");
  });

  test.each(["", "{", "[]", '{"event":"compact","by":"/x"}', '{"event":"compact","by":"/x","at":"never"}'])(
    "a mark that says %j is nobody's",
    (text) => {
      put(paths, "session/.cache/deliveries/s.session-start.1.2040", text);
      expect(asked(0)).toBeNull();
      expect(asked(0, { by: "/project" })).toBe("/plugin");
    },
  );

  test("what was printed is known to its owner alone, and nothing else is left behind", () => {
    asked(0);
    asked(1);
    const path = join(paths.cache, "deliveries", "s.session-start.1.2040");
    expect(JSON.parse(readFileSync(path, "utf8"))).toEqual({
      event: "compact",
      by: "/plugin",
      at: "2026-02-03T12:15:08.121Z",
    });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(join(paths.cache, "deliveries")).mode & 0o777).toBe(0o700);
    expect(marks()).toEqual(["s.session-start.1.2040"]);
  });

  test("where nothing can be written down everybody prints, and nothing is written out of the project", () => {
    const outside = project();
    symlinkSync(outside.root, paths.cache);
    expect([asked(0), asked(0)]).toEqual([null, null]);
    expect(existsSync(join(outside.root, "deliveries"))).toBe(false);
    remove(outside.root);
    remove(paths.cache);
    put(paths, "session/.cache", "a file");
    expect([asked(0), asked(0)]).toEqual([null, null]);
  });
});

test("marks that are long over are cleared away once there are many, but for those that the event's own is numbered behind", () => {
  const folder = join(paths.cache, "deliveries");
  const old = (name: string, hours: number): void => {
    const path = put(paths, `session/.cache/deliveries/${name}`, "{}");
    const time = NOW.getTime() / 1000 - hours * 3600;
    utimesSync(path, time, time);
  };
  for (let at = 0; at < 60; at++) old(`old.${at}`, 1.1);
  old("fresh", 0.9);
  old("s.session-start.1.2040", 1.1);
  asked(0);
  expect(marks()).toHaveLength(63);
  writeFileSync(join(folder, "one more"), "");
  asked(61);
  expect(marks()).toHaveLength(65 - 60);
  expect(marks()).toEqual(["fresh", "one more", ...["", ".2", ".3"].map((n) => `s.session-start.1.2040${n}`)]);
});

test("the last of an event's marks tells when it was, whatever their numbers", () => {
  expect(lastDelivery(paths, "s.pre-compact.")).toBeNull();
  expect(asked(0, { what: "pre-compact.10", event: "manual" })).toBeNull();
  expect(asked(30, { what: "pre-compact.9", event: "auto" })).toBeNull();
  expect(asked(10, { what: "pre-compact.95", event: "manual" })).toBeNull();
  expect(asked(90, { sessionId: "t", what: "pre-compact.9" })).toBeNull();
  expect(asked(90, { what: "session-start.1.9" })).toBeNull();
  put(paths, "session/.cache/deliveries/s.pre-compact.11", "{");
  expect(lastDelivery(paths, "s.pre-compact.")).toMatchObject({ at: "2026-02-03T12:15:37.121Z", event: "auto" });
});
