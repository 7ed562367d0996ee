import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isElsewhere, storePlace } from "../../src/stores/store-place.ts";

describe("CONTEXT_STORE", () => {
  const PLAIN = { host: "host", port: 6379, secure: false, username: "", password: "", database: 0 };

  test.each([
    ["redis://host", PLAIN, "redis://host"],
    ["redis://host:6379/", PLAIN, "redis://host:6379"],
    [
      "rediss://user:pw@host:1/3",
      { ...PLAIN, port: 1, secure: true, username: "user", password: "pw", database: 3 },
      "rediss://host:1/3",
    ],
    ["valkey://:p%40w@host", { ...PLAIN, password: "p@w" }, "valkey://host"],
    ["valkeys://[::1]:6379", { ...PLAIN, host: "::1", secure: true }, "valkeys://[::1]:6379"],
    ["redis://host/0?family=6#x", PLAIN, "redis://host/0"],
  ])("%s is taken", (text, place, shown) => {
    expect(storePlace(text)).toEqual({ ok: true, value: { ...place, shown } });
  });

  test.each([
    ["somewhere", "is no address"],
    ["http://host", 'names "http://"'],
    ["redis:///0", "names no host"],
    ["redis://host/db", "names no database"],
    ["redis://host:pass", "is no address"],
    ["redis://:p%zzw@host", "a % itself is %25"],
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
