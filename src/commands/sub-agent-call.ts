import { readEnd } from "../platform/read-head.ts";

/** Bytes of a transcript's end in which a call of a sub-agent stands that has no result yet, or what that one does. */
const END_BYTES = 64 * 1024;

/** The tools that wait for a sub-agent: its own, by its name today and before 2.1, and that of a skill which has one (`context: fork`). */
export const SUB_AGENT_TOOLS: ReadonlySet<string> = new Set(["Agent", "Task", "Skill"]);

/** A call of one; and what a sub-agent does, where the client writes it there. */
const CALL = /"name":"(?:Agent|Task|Skill)"|"type":"(?:agent|skill)_progress"/;

/** Whether a transcript's end speaks of a sub-agent: only then is it worth asking what it waits for. */
export function mayWaitForSubAgent(transcript: string): boolean {
  return CALL.test(readEnd(transcript, END_BYTES) ?? "");
}
