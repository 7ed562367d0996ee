// docs/performance.md from the rows of a run of the bench.
import { writeFileSync } from "node:fs";
import { cpus, platform, release } from "node:os";

export function writePage(path, rows, { runs, load, words }) {
  writeFileSync(path, page(rows, { runs, load, words }));
}

function page(rows, { runs, load, words }) {
  const machine = `${cpus().length} x ${cpus()[0]?.model ?? "unknown processor"}, ${platform()} ${release()}`;
  const over = rows.filter(({ ratio, limit }) => limit !== null && ratio > limit);
  return `# What commands and hooks cost

Whole processes, each in turn with the one it is compared with: the ratio is that of the two medians. Milliseconds are this
machine's on this day. Ratios vary less, and grow where a machine is slow: of two on 2026-11-29, with nearly the same code, a
cold start with 200 skills took 2.5 where an empty Node took 22 ms, and 3.3 where it took 36; PreCompact 1.3 and 1.4.
\`NODE_EXTRA_CA_CERTS\` is unset on both sides: it alone makes a start of Node 20 nearly three times as long, and hook scripts
and launchers unset it. Cold: nothing is remembered of an earlier start; of the
program itself compiled code is, which the first run of each row keeps: that one is not measured.
The yardsticks stand in \`tests/bench/yardsticks/\`: a hook in Python that looks for the project in the transcript's tail
and nothing else, and one \`grep\` over all machines.

- command: \`${words.trim()}\`
- date: ${new Date().toISOString().slice(0, 10)}
- machine: ${machine}, Node ${process.version}
- runs of each side: ${runs}, fewer where one takes long; load of the machine, which others used too: ${load.map((value) => value.toFixed(1)).join(" at the start, ")} at the end

| what | ms | beside | ms | ratio | limit | peak MB |
| --- | ---: | --- | ---: | ---: | ---: | ---: |
${rows.map(line).join("\n")}

${over.length === 0 ? "No row is above its limit." : `Above their limit: ${over.map(({ name }) => name).join("; ")}.`}
`;
}

function line({ name, ms, base, baseMs, ratio, limit, peak }) {
  const cells = [
    `\`${name}\``,
    ms.toFixed(1),
    base,
    baseMs?.toFixed(1) ?? "-",
    ratio?.toFixed(2) ?? "-",
    limit ?? "-",
    peak?.toFixed(0) ?? "-",
  ];
  return `| ${cells.join(" | ")} |`;
}
