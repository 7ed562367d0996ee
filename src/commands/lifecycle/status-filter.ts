import { err, ok, type Result } from "../../base/result.ts";
import { suggest } from "../../base/suggest.ts";
import type { MachineChange } from "../../lifecycle/machine-change.ts";
import { LIFECYCLE_STATES } from "../../lifecycle/states.ts";
import { type FailedReport, usage } from "../report.ts";
import type { RoleStatus } from "./role-status.ts";

/** What is shown: of roles as they stand, and of transitions. */
export interface StatusFilter {
  readonly status: (status: RoleStatus) => boolean;
  /** By the state that is entered. Who owns a role is not said of a transition: such a clause leaves none out. */
  readonly change: (change: MachineChange) => boolean;
}

/** What a filter's words may be, beside any role's name or session. */
const STATE_WORDS = [...LIFECYCLE_STATES, "stuck", "unreadable"];
const OWNER_WORDS = ["none", "running", "ended", "unknown"];
const KEYS = ["state", "role", "owner"];

/**
 * Reads `state=saved,stuck role=web-* owner=none`: of the words behind one `=` any has to fit, and all of the clauses. A
 * `*` in a role stands for anything; an owner is a session's beginning, a pane (`%4`), or one of the words for it.
 */
export function parseFilter(text: string): Result<StatusFilter, FailedReport> {
  const clauses: StatusFilter["status"][] = [];
  const changes: StatusFilter["change"][] = [];
  for (const clause of text.trim().split(/[\s;]+/)) {
    const [key = "", ...rest] = clause.split("=");
    const words = rest.join("=").split(",");
    if (rest.length === 0 || words.includes("")) {
      return err(
        usage(`--filter: expected key=word,word, found ${JSON.stringify(clause)}.`, `A key is ${listed(KEYS)}.`),
      );
    }
    switch (key) {
      case "state": {
        const wrong = words.find((word) => !STATE_WORDS.includes(word));
        if (wrong !== undefined) return err(unknownWord("state", wrong, STATE_WORDS));
        clauses.push((status) => words.some((word) => isInState(status, word)));
        changes.push(({ to }) => to !== null && words.includes(to));
        break;
      }
      case "role":
        clauses.push(({ role }) => words.some((word) => fits(word, role)));
        changes.push(({ role }) => words.some((word) => fits(word, role)));
        break;
      case "owner":
        clauses.push((status) => words.some((word) => isOwnedBy(status, word)));
        break;
      default:
        return err(unknownWord("key", key, KEYS));
    }
  }
  return ok({
    status: (status) => clauses.every((clause) => clause(status)),
    change: (change) => changes.every((clause) => clause(change)),
  });
}

function isInState({ record, stuck }: RoleStatus, word: string): boolean {
  if (word === "stuck") return stuck !== null;
  return word === "unreadable" ? record === null : record?.state === word;
}

function isOwnedBy({ record, owner }: RoleStatus, word: string): boolean {
  const session = record?.sessionId ?? null;
  if (word === "none") return session === null;
  if (session === null) return false;
  if (OWNER_WORDS.includes(word)) return owner === word;
  return session.startsWith(word) || record?.ownerPane?.split("@")[0] === word;
}

/** Whether a name is what the pattern's pieces between its stars are, in their order: one look along the name. */
function fits(pattern: string, name: string): boolean {
  const [first = "", ...pieces] = pattern.split("*");
  const last = pieces.pop();
  if (last === undefined) return name === pattern;
  if (!name.startsWith(first) || !name.endsWith(last) || name.length < first.length + last.length) return false;
  let at = first.length;
  for (const piece of pieces) {
    const found = name.indexOf(piece, at);
    if (found === -1) return false;
    at = found + piece.length;
  }
  return at <= name.length - last.length;
}

function unknownWord(kind: string, word: string, known: readonly string[]): FailedReport {
  const near = suggest(word, known);
  const meant = near === null ? "" : ` Did you mean "${near}"?`;
  return usage(`--filter: ${JSON.stringify(word)} is no ${kind}.`, `A ${kind} is ${listed(known)}.${meant}`);
}

function listed(words: readonly string[]): string {
  return `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}
