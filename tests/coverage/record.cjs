// Loaded by the program's entry in the copy that is counted: writes down, when the process ends, which parts of the bundles
// it did not run. A process that is killed writes nothing.
"use strict";
const { renameSync, writeFileSync } = require("node:fs");
const { Session } = require("node:inspector");
const { basename, dirname, join } = require("node:path");
const { fileURLToPath } = require("node:url");

function record({ raw, bundles }) {
  const session = new Session();
  session.connect();
  session.post("Profiler.enable");
  session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  process.on("exit", () => {
    session.post("Profiler.takePreciseCoverage", (error, taken) => {
      if (error) return;
      const seen = {};
      for (const { url, functions } of taken.result) {
        const path = url.startsWith("file:") ? fileURLToPath(url) : url;
        if (dirname(path) !== bundles) continue;
        const idle = functions.flatMap(({ ranges }) => ranges.filter(({ count }) => count === 0));
        // Node wraps what it requires itself without moving it; the code cache puts a function around the text.
        const key = `${basename(path)}${url.startsWith("file:") ? "" : " wrapped"}`;
        seen[key] = idle.map(({ startOffset, endOffset }) => [startOffset, endOffset]);
      }
      try {
        const path = join(raw, `${process.pid}-${process.hrtime.bigint()}`);
        writeFileSync(path, JSON.stringify(seen));
        // Only a whole one has the name: a test may kill the process at any point, or make its writes fail.
        renameSync(path, `${path}.json`);
      } catch {
        // A full disk, or no rights: this process is not counted.
      }
    });
  });
}

module.exports = { record };
