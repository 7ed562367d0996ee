import { readFileSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import { inputOf, targetsOf } from "./targets.ts";

interface Finding {
  readonly name: string;
  readonly index: number;
  readonly message: string;
  readonly text: string;
}

/** More of one kind say nothing new. */
const MOST_FINDINGS = 40;

const { root, seed, targets, count, from, endsAt, place, input } = workerData;
const all = Object.entries(targetsOf(root)).filter(([name]) => targets === null || targets.includes(name));
const counts: Record<string, number> = {};
const findings: Finding[] = [];
const kinds = new Set<string>();
let slowest = { ms: 0, name: "", index: 0 };

/** A text that was kept is read instead of making any. */
const given: string | null = input === null ? null : String(JSON.parse(readFileSync(input, "utf8")));
const inputs = given === null ? Math.ceil(count / all.length) : 1;

for (let index = from; index < from + inputs; index += 1) {
  if (Date.now() > endsAt || findings.length >= MOST_FINDINGS) break;
  for (const [number, [name, target]] of all.entries()) {
    place[0] = BigInt(index);
    place[1] = BigInt(number);
    const text = given ?? inputOf(target, name, seed, index);
    counts[name] = (counts[name] ?? 0) + 1;
    const started = processorTime();
    try {
      target.check(text);
    } catch (error) {
      const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
      const kind = `${name} ${message.replaceAll(/\d+/g, "").slice(0, 32)}`;
      if (!kinds.has(kind)) findings.push({ name, index, message: message.slice(0, 1500), text });
      kinds.add(kind);
    }
    const ms = processorTime() - started;
    if (ms > slowest.ms) slowest = { ms, name, index };
    // Compiling and collecting rubbish is no finding: it must be slow twice.
    if (ms > 1000 && takes(target.check, text) > 1000) {
      findings.push({ name, index, message: `takes ${Math.round(ms)} ms for ${text.length} characters`, text });
    }
  }
}
parentPort?.postMessage({ counts, findings, slowest });

function takes(check: (text: string) => void, text: string): number {
  const started = processorTime();
  try {
    check(text);
  } catch {
    // Reported already.
  }
  return processorTime() - started;
}

/** Milliseconds that this process has worked: others may use the machine too. */
function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
