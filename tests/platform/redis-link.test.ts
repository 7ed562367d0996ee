import { createServer, type Socket } from "node:net";
import { networkInterfaces } from "node:os";
import fc from "fast-check";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { type LinkOptions, openRedis, type RedisLink } from "../../src/platform/redis-link.ts";
import { need } from "../helpers/need.ts";
import { PASSWORD, redisMissing, startRedis, useRedis } from "../helpers/redis-server.ts";

const missing = redisMissing();
const HAS_VERSION_6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === "::1"));
const PLAIN = { host: "127.0.0.1", username: "", password: "", database: 0, tls: null, limitMs: 10_000 };

async function open(options: LinkOptions): Promise<RedisLink> {
  const opened = need(await openRedis(options));
  onTestFinished(opened.close);
  return opened;
}

/** A server that says `+OK` to each request, or what is given, and keeps what it is told. */
async function listener(answer: (text: string) => string = () => "+OK\r\n") {
  let heard = "";
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on("error", () => undefined);
    socket.on("data", (bytes) => {
      heard += bytes.toString("utf8");
      for (const _ of bytes.toString("utf8").matchAll(/^\*\d+\r$/gm)) socket.write(answer(heard));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return { port, heard: () => heard, sockets };
}

describe.skipIf(missing !== null)(`over a connection${missing === null ? "" : `: ${missing}`}`, () => {
  const server = useRedis();
  const here = () => open({ ...PLAIN, port: server().port, password: PASSWORD });

  test("texts come back as they went in", async () => {
    const link = await here();
    const text = fc.oneof(
      fc.string({ unit: "grapheme" }),
      fc.constantFrom("\ufeffmark", "\r\n", "", "x".repeat(70_000)),
    );
    const property = fc.asyncProperty(fc.array(text, { maxLength: 5 }), async (texts) => {
      expect(await link.send(["EVAL", "return ARGV", "0", ...texts])).toEqual({ ok: true, value: texts });
    });
    await fc.assert(property, { numRuns: 100 });
  });

  test("numbers, nothing and lists in lists come as such, and a hash as a flat list", async () => {
    const link = await here();
    const reply = await link.send(["EVAL", "return {1, {'a', {}}, false, redis.status_reply('OK')}", "0"]);
    expect(reply).toEqual({ ok: true, value: [1, ["a", []], null, "OK"] });
    await link.send(["HSET", "h", "__proto__", "1"]);
    expect(await link.send(["HGETALL", "h"])).toEqual({ ok: true, value: ["__proto__", "1"] });
  });

  test("a refusal is told, also within a list, and ends nothing", async () => {
    const link = await here();
    for (const words of [["NOTHING"], ["EVAL", "return {1, redis.error_reply('WRONGTYPE é\x17')}", "0"]]) {
      expect(await link.send(words)).toMatchObject({ ok: false, error: { kind: "refused", about: "rights" } });
    }
    expect(await link.send(["ECHO", "é"])).toEqual({ ok: true, value: "é" });
  });

  test("a request that waits on the server has the time it asks for, and the limit is for the others", async () => {
    const link = await open({ ...PLAIN, port: server().port, password: PASSWORD, limitMs: 300 });
    expect(await link.send(["BLPOP", "none", "0.6"], 5000)).toEqual({ ok: true, value: null });
    const late = await link.send(["BLPOP", "none", "5"]);
    expect(late).toEqual({ ok: false, error: { kind: "lost", message: "does not answer within 300 ms" } });
    expect(await link.send(["PING"])).toEqual(late);
  });

  test("a password that the server does not want is told, and nothing is written to stderr", async () => {
    const redis = await startRedis(undefined, ["--requirepass", ""]);
    onTestFinished(redis.stop);
    const spies = [vi.spyOn(console, "warn"), vi.spyOn(console, "error")];
    onTestFinished(() => spies.forEach((spy) => void spy.mockRestore()));
    const opened = await openRedis({ ...PLAIN, port: redis.port, password: "any" });
    expect(opened).toMatchObject({ ok: false, error: { kind: "refused", about: "password" } });
    for (const spy of spies) expect(spy).not.toHaveBeenCalled();
  });
});

describe("a connection", () => {
  test("says who asks and which database is meant, and nothing else that was not asked", async () => {
    const fake = await listener();
    const link = await open({ ...PLAIN, port: fake.port, username: "user", password: "pass", database: 3 });
    await link.send(["PING", "é"]);
    const words = (...all: readonly string[]) =>
      `*${all.length}\r\n${all.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join("")}`;
    expect(fake.heard()).toBe(words("AUTH", "user", "pass") + words("SELECT", "3") + words("PING", "é"));
  });

  test.each([
    ["an array longer than any", "*99999999999\r\n"],
    ["lists in lists without end", "*1\r\n".repeat(200_000)],
    ["another protocol", "HTTP/1.1 400 Bad Request\r\n"],
  ])("that gives %s is lost, and the process goes on", async (_what, text) => {
    const fake = await listener(() => text);
    const link = await open({ ...PLAIN, port: fake.port });
    const message = "speaks another protocol: it sent something else than answers";
    expect(await link.send(["PING"])).toEqual({ ok: false, error: { kind: "lost", message } });
    expect(await link.send(["PING"])).toMatchObject({ ok: false, error: { kind: "lost" } });
  });

  test("that is closed by the other side, or by this one, answers all that waits with that", async () => {
    const silent = () => "";
    for (const end of ["server", "here"]) {
      const fake = await listener(silent);
      const link = await open({ ...PLAIN, port: fake.port });
      const waiting = [link.send(["PING"]), link.send(["XREAD"], 60_000)];
      await vi.waitUntil(() => fake.heard().includes("XREAD"));
      if (end === "server") for (const socket of fake.sockets) socket.destroy();
      else link.close();
      for (const answer of await Promise.all(waiting)) {
        expect(answer).toMatchObject({ ok: false, error: { kind: "lost", message: /^closed the connection/ } });
      }
    }
  });

  test("and an attempt at one end with their signal, and one that is over begins none", async () => {
    const fake = await listener(() => "");
    const over = new AbortController();
    const trying = openRedis({ ...PLAIN, port: fake.port, password: "x", signal: over.signal });
    await vi.waitUntil(() => fake.heard() !== "");
    over.abort();
    expect(await trying).toMatchObject({ ok: false, error: { kind: "lost" } });
    expect(await openRedis({ ...PLAIN, port: fake.port, signal: over.signal })).toMatchObject({ ok: false });
  });

  test.skipIf(!HAS_VERSION_6)("finds a server at an address of version 6", async () => {
    const server = createServer((socket) => socket.on("data", () => socket.write("+PONG\r\n")));
    await new Promise<void>((resolve) => server.listen(0, "::1", resolve));
    onTestFinished(() => void server.close());
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const link = await open({ ...PLAIN, host: "::1", port });
    expect(await link.send(["PING"])).toEqual({ ok: true, value: "PONG" });
  });
});
