// Starts programs for a process that has grown large (starter.ts): a line of JSON comes in, a line of JSON goes out.
import { spawnSync } from "node:child_process";
import { readSync, writeSync } from "node:fs";

const chunk = Buffer.alloc(65_536);
let line = [];
for (let count = readSync(0, chunk); count > 0; count = readSync(0, chunk)) {
  line.push(Buffer.from(chunk.subarray(0, count)));
  if (chunk[count - 1] !== 10) continue;
  const { file, args, input, options } = JSON.parse(Buffer.concat(line).toString("utf8"));
  line = [];
  const ran = spawnSync(file, args, { ...options, input: Buffer.from(input, "base64"), encoding: "utf8" });
  const { status, signal, stdout, stderr, error } = ran;
  const answer = Buffer.from(`${JSON.stringify({ status, signal, stdout, stderr, error: error?.message })}\n`);
  for (let at = 0; at < answer.length; ) at += writeSync(1, answer, at);
}
