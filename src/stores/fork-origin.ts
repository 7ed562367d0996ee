import { dirname, join } from "node:path";
import { isSessionId } from "../base/session-id.ts";
import { headLines } from "../platform/read-head.ts";

/** Where the work of a fork lies whose transcript begins behind a compaction. */
export interface ForkOrigin {
  /** The session that was compacted, and its transcript, which may have gone on, or be gone. */
  readonly session: string;
  readonly path: string;
  /** When it was compacted, ISO 8601: what it did later is not the fork's. */
  readonly until: string;
}

/** Forks of forks that did nothing themselves. */
export const MOST_FORKS = 8;

const HEAD_BYTES = 256 * 1024;

/**
 * Who a record says it was made for, as measured with the clients: 2.1.332 keeps the session that an answer was given to, 2.0.76
 * the one of each record that it copies. Those between name none but in what a hook of ours told the parent.
 */
const MADE_FOR = /"(?:requestSessionId|sessionId)":"([^"\\]+)"/g;
const TOLD_BY_US = /<session id=\\"([^"\\]+)\\" source=/g;

const SAID = /"type":"(?:user|assistant)"/;
const COMPACTED = '"subtype":"compact_boundary"';
const TIME = /"timestamp":"(\d{4}-\d\d-\d\dT[\d:.]{8,16}Z)"/;

/**
 * The compacted session that a transcript was copied from: of such a one the client copies what came after the compaction.
 * Null where a transcript begins otherwise.
 */
export function forkOrigin(transcript: string, own: string): ForkOrigin | null {
  let until: string | undefined;
  for (const line of headLines(transcript, HEAD_BYTES)) {
    if (until === undefined) {
      if (line.includes(COMPACTED)) until = TIME.exec(line)?.[1];
      if (until === undefined && SAID.test(line)) return null;
      if (until === undefined) continue;
    }
    const names = line.includes('"type":"hook_additional_context"') ? TOLD_BY_US : MADE_FOR;
    for (const [, session = ""] of line.matchAll(names)) {
      // Of forks of forks the first one named was compacted.
      if (session !== own && isSessionId(session))
        return { session, until, path: join(dirname(transcript), `${session}.jsonl`) };
    }
  }
  return null;
}
