import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isElsewhere, storePlace } from "../../src/stores/store-place.ts";

describe("CONTEXT_STORE", () => {
  test.each([
    ["redis://host", "redis://host", "redis://host"],
    ["redis://host:6379/", "redis://host:6379/", "redis://host:6379"],
    ["rediss://user:pw@host:1/3", "rediss://user:pw@host:1/3", "rediss://host:1/3"],
    ["valkey://:p%40w@host", "redis://:p%40w@host", "valkey://host"],
    ["valkeys://[::1]:6379", "rediss://[::1]:6379", "valkeys://[::1]:6379"],
    // What the library would take for an option of its own.
    ["redis://host/0?family=6#x", "redis://host/0", "redis://host/0"],
  ])("%s is taken", (text, url, shown) => {
    expect(storePlace(text)).toEqual({ ok: true, value: { url, shown } });
  });

  test.each([
    ["somewhere", "is no address"],
    ["http://host", 'names "http://"'],
    ["redis:///0", "names no host"],
    ["redis://host/db", "names no database"],
    ["redis://host:pass", "is no address"],
  ])("%s is refused", (text, message) => {
    expect(storePlace(text)).toMatchObject({ ok: false, error: expect.stringContaining(message) });
  });

  test("whatever it is, neither password nor user is shown", () => {
    const secret = fc.stringMatching(/^[A-Z]{12,20}$/);
    const shape = fc.constantFrom("redis", "rediss", "valkey", "http", "x", "");
    const property = fc.property(shape, secret, secret, fc.webUrl(), (scheme, user, password, url) => {
      const rest = url.replace(/^[a-z]+:\/\//, "");
      for (const text of [
        `${scheme}://${user}:${password}@${rest}`,
        `${scheme}:${user}:${password}`,
        `${user}${password}`,
      ]) {
        const place = storePlace(text);
        const said = place.ok ? place.value.shown : place.error;
        expect(said).not.toContain(user);
        expect(said).not.toContain(password);
      }
    });
    fc.assert(property, { numRuns: 300 });
  });

  test("empty, absent or files means files", () => {
    for (const env of [{}, { CONTEXT_STORE: "" }, { CONTEXT_STORE: "files" }]) expect(isElsewhere(env)).toBe(false);
    expect(isElsewhere({ CONTEXT_STORE: "redis://host" })).toBe(true);
  });
});
