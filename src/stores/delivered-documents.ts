import { isArray, isObject, parseJson, stringAt } from "../base/json-value.ts";
import { rowText, tailLines } from "../platform/tail.ts";
import { documentId } from "../session-start/document.ts";
import { TRANSCRIPT_WINDOW } from "../transcript/row.ts";

/** Which documents of ours, by `documentId`, a session's transcript holds after its last compaction, as far as the window at its end reaches. */
export function deliveredIn(transcript: string): ReadonlySet<string> {
  const found = new Set<string>();
  const tail = tailLines(transcript, { ...TRANSCRIPT_WINDOW, keep: isWorthReading });
  if (!tail.ok) return found;
  for (const { text: row } of tail.value.lines) {
    const record = parseJson(rowText(row));
    // A row that is being written is none.
    if (!isObject(record)) continue;
    if (stringAt(record, "subtype") === "compact_boundary") found.clear();
    if (!isObject(record.attachment) || record.attachment.type !== ATTACHMENT) continue;
    const { content } = record.attachment;
    for (const text of isArray(content) ? content : [content]) {
      const id = typeof text === "string" ? documentId(text) : null;
      if (id !== null) found.add(id);
    }
  }
  return found;
}

/** What a hook's output becomes that the model is shown, from 2.1.332 on; older clients leave no trace of it. */
const ATTACHMENT = "hook_additional_context";

/** 2.0.76 writes more before the type of a compaction's mark than these first bytes; what it goes on from stands in no other row. */
const COMPACTED = ['"compact_boundary"', '"logicalParentUuid"'];

function isWorthReading(head: string): boolean {
  return head.includes(`"${ATTACHMENT}"`) || COMPACTED.some((word) => head.includes(word));
}
