// The other side of servant.ts: a line of JSON comes in on one pipe, a line of JSON goes out on the other.
import { readSync, writeSync } from "node:fs";

const ORDERS = 3;
const ANSWERS = 4;
const NEW_LINE = 10;

/** Answers orders until nobody holds their pipe any more. */
export async function serve(answer) {
  const chunk = Buffer.alloc(65_536);
  let line = [];
  for (let count = readSync(ORDERS, chunk); count > 0; count = readSync(ORDERS, chunk)) {
    line.push(Buffer.from(chunk.subarray(0, count)));
    if (chunk[count - 1] !== NEW_LINE) continue;
    const order = JSON.parse(Buffer.concat(line).toString("utf8"));
    line = [];
    const bytes = Buffer.from(`${JSON.stringify(await answer(order))}\n`);
    for (let at = 0; at < bytes.length; ) at += writeSync(ANSWERS, bytes, at);
  }
}
