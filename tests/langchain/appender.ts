// Appends to a log: run as `node appender.cjs <log> <name> <count>`.
import { appendEvents } from "../../src/langchain.ts";

const [log = "", name = "", count = "0"] = process.argv.slice(2);
for (let number = 0; number < Number(count); number++) {
  // Longer than what a file system writes at once.
  const content = `${name}${number} ${"x".repeat(9_000)}`;
  const appended = appendEvents(log, [{ type: "plan", content, timestamp: 0, iteration: 0 }]);
  if (!appended.ok) process.stdout.write(`${appended.error.message}\n`);
}
