import type { Report } from "../report.ts";

/** The report of an answer as it was given. */
export function answerReport(text: string, notes: readonly string[], json: boolean): Report {
  const parts = json ? [] : [{ kind: "text", text } as const];
  return { outcome: "done", parts, notes, data: {}, ...(json ? { document: text } : {}) };
}
