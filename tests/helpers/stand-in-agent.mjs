// An agent's terminal without an agent: draws an input line as the client does, and does as its first argument says.
//   obeys       saves when it is asked to, and drives the hooks on /compact
//   deaf        takes lines in and does nothing
//   saves-only  saves, and does nothing on /compact
//   asks        shows a question instead of the input line
//   late        as "obeys", and everything that is typed takes it two seconds to read
import { spawn } from "node:child_process";
import { appendFileSync } from "node:fs";

const [manner, role, log, session = "5e551011-aaaa"] = process.argv.slice(2);
// As the client's process is called, where it is not started by that name.
if (!process.env.STAND_IN_NAMED) process.title = "claude";
const env = { ...process.env, HIVEMIND_ROLE: role, CLAUDE_CODE_SESSION_ID: session };
const width = 70;
let typed = process.env.STAND_IN_TYPED ?? "";
let turn = 0;
let queue = Promise.resolve();

function draw() {
  const rule = "─".repeat(width + 2);
  const rows = [];
  for (let at = 0; at === 0 || at < typed.length; at += width) rows.push(typed.slice(at, at + width));
  const box = rows.map((row, index) => `${index === 0 ? "❯\u00a0" : "  "}${row}`);
  const screen =
    manner === "asks" ? ["Do you want to go on?", "❯ 1. Yes", "  2. No"] : [rule, ...box, rule, "  ? for shortcuts"];
  const busy = turn === 0 ? "" : `✽ Working ${turn}`;
  process.stdout.write(`\x1b[2J\x1b[H${["stand-in", busy, ...screen].join("\r\n")}`);
}

function context(words, input) {
  return new Promise((resolve) => {
    const child = spawn("./context", words, { env, stdio: ["pipe", "ignore", "ignore"] });
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
    child.once("close", resolve);
  });
}

async function act(line) {
  turn = 1;
  const spinner = setInterval(() => {
    turn += 1;
    draw();
  }, 80);
  const payload = (more) => JSON.stringify({ session_id: session, ...more });
  if (line === "/compact" && ["obeys", "late"].includes(manner)) {
    await context(["pre-compact"], payload({ hook_event_name: "PreCompact", trigger: "manual" }));
    await context(["session-start"], payload({ hook_event_name: "SessionStart", source: "compact" }));
  } else if (line !== "/compact" && manner !== "deaf") await context(["lifecycle.save", role], "");
  clearInterval(spinner);
  turn = 0;
  draw();
}

if (process.stdin.isTTY) process.stdin.setRawMode(true);
function read(chunk) {
  if (chunk === "\r") {
    const line = typed;
    typed = "";
    appendFileSync(log, `${JSON.stringify(line)}\n`);
    queue = queue.then(() => act(line));
  } else if (/^\x7f+$/.test(chunk)) typed = [...typed].slice(0, -chunk.length).join("");
  else if (chunk === "\x03" || chunk === "\x04") process.exit(0);
  // Whatever comes in one piece is pasted: a newline in it sends nothing off.
  else typed += chunk;
  draw();
}

process.stdin.setEncoding("utf8").on("data", (chunk) => {
  if (manner !== "late") return read(chunk);
  appendFileSync(`${log}.heard`, "");
  setTimeout(() => read(chunk), 2000);
});
draw();
appendFileSync(log, "");
