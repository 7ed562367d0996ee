import type { Report } from "../report.ts";
import { failed } from "../report.ts";
import { paneName } from "./find-pane.ts";
import { COMPACT, type Round, roundData } from "./round.ts";
import { awaitReady } from "./typing.ts";

/** `--dry-run`: looks at all that would be looked at, and tells the keys. */
export async function planned(round: Round): Promise<Report> {
  const { context, role, typist, ask, limits, found } = round;
  const ready = await awaitReady(context, { ...typist, leaveCopyMode: false }, { graceMs: 0 });
  const mayPass = !ready.ok && ready.error.code === "copy-mode" && typist.leaveCopyMode;
  if (!ready.ok && !mayPass) return failed(ready.error, { data: { dry_run: true, ...roundData(round) } });
  const keys = [...(mayPass ? ["(copy mode is left)"] : []), ...(ask === null ? [] : [ask, "Enter"]), COMPACT, "Enter"];
  const pane = paneName(typist.pane);
  const lines = [
    `Pane ${pane}, found by ${found.by}.`,
    ...(mayPass ? ["Leave copy mode."] : []),
    ...(ask === null
      ? [`${role} is saved, and its context file is as it was: nothing to ask for.`]
      : [`Type: ${ask}`, "Press: Enter", `Wait up to ${limits.saveMs / 1000} s for: saved`]),
    `Type: ${COMPACT}`,
    "Press: Enter",
    `Wait up to ${limits.compactMs / 1000} s for: recovering, active`,
  ];
  return {
    outcome: "done",
    parts: [{ kind: "text", text: `${lines.join("\n")}\n` }],
    notes: ["Nothing was typed."],
    data: { dry_run: true, keys, ...roundData(round) },
  };
}
