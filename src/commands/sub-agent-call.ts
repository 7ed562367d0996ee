import { readEnd } from "../platform/read-head.ts";

/** Bytes of a transcript's end in which a call of a sub-agent stands that has no result yet, or what that one does, or that works in the background. */
export const END_BYTES = 64 * 1024;

/** A call of a tool that waits for one (`SUB_AGENT_TOOLS`); and what a sub-agent does, where the client writes it there. */
const CALL = /"name":"(?:Agent|Task|Skill)"|"type":"(?:agent|skill)_progress"/;

/** Whether a transcript's end speaks of a sub-agent: only then is it worth asking what it waits for. */
export function mayWaitForSubAgent(transcript: string): boolean {
  return CALL.test(readEnd(transcript, END_BYTES) ?? "");
}
