import { networkInterfaces } from "node:os";
import { expect, test } from "vitest";

const problem = process.env.CONTEXT_CLIENT_PROBLEM ?? "";

test.skipIf(problem !== "" && process.env.CONTEXT_CLIENT !== "required")(
  "the real client can be run here, where there is no network but loopback",
  () => {
    expect(problem).toBe("");
    expect(Object.keys(networkInterfaces()).filter((name) => name !== "lo")).toEqual([]);
  },
);
