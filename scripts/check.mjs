// What stands before the tests: the build, the types and the linter, at the same time, as none of them waits for another. What
// each says comes as a whole, and all of them are told of.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Its exit code; 1 where it was ended by a signal. */
function run(script) {
  return new Promise((resolve) => {
    // The compiler ends before it would gain from collecting its garbage, which takes a third of its processor time.
    const env = { GOGC: "off", ...process.env };
    const ran = spawn("npm", ["run", script], { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
    const said = [];
    for (const stream of [ran.stdout, ran.stderr]) stream.on("data", (bytes) => said.push(bytes));
    ran.on("error", (error) => said.push(Buffer.from(`${error.message}\n`)));
    ran.on("close", (code) => {
      process.stdout.write(Buffer.concat(said));
      resolve(code ?? 1);
    });
  });
}

const codes = await Promise.all(["build", "typecheck", "lint"].map(run));
process.exitCode = Math.max(...codes);
