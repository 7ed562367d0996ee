import { cut } from "./cut.ts";

/** The lines of a result that say what went wrong, in their order: at most three, else the last three. */
export function tellingLines(result: string): string {
  const lines = result
    .replace(/<\/?tool_use_error>/g, "")
    .split("\n")
    // Of a line that was written over again and again, the last.
    .map((line) => line.trim().replace(/^.*\r/s, "").trim())
    .filter((line) => line !== "");
  const code = lines[0] !== undefined && /^Exit code [0-9]{1,3}$/.test(lines[0]) ? [lines[0]] : [];
  const rest = lines.slice(code.length);
  const telling = rest.filter((line) => TELLING.test(line) && !FINE.test(line));
  const chosen = telling.length > 0 ? telling.slice(0, 3) : rest.slice(-3);
  return [...code, ...chosen].map((line) => cut(line, 160)).join(" | ");
}

const TELLING = /error|fail|exception|cannot|can't|not found|no such|denied|refused|undefined|unexpected|panic|fatal/i;

// What passed, though its name holds such a word; frames of a stack; counts of none.
const FINE = /^(?:[✓✔√]|PASS\b|ok\b|--- PASS|=== |at )|\bPASSED\b|\.\.\. ok$|^(?:[0-9]{1,9} passed|0 (?:error|fail))/;
