import { readEnd } from "../platform/read-head.ts";

/** Bytes of a transcript's end in which a call of a sub-agent stands that has no result yet. */
export const END_BYTES: number = 64 * 1024;

/** A call of the tool, by its name today and before 2.1. */
const CALL = /"name":"(?:Agent|Task)"/;

/** Whether a transcript's end holds a call of a sub-agent: only then is it worth asking what it waits for. */
export function mayWaitForSubAgent(transcript: string): boolean {
  return CALL.test(readEnd(transcript, END_BYTES) ?? "");
}
