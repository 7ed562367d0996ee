import { invariant } from "../base/invariant.ts";
import { err, ok, type Result } from "../base/result.ts";
import { suggest } from "../base/suggest.ts";

/** A role's name, checked: it is safe as a file name, a machine name and a shell word. */
export type RoleName = string & { readonly __brand: "RoleName" };

/** The role's machine: hyphens as underscores, so that it is a shell identifier. Unambiguous, since a role holds no underscore. */
export type MachineName = string & { readonly __brand: "MachineName" };

export const ROLE_RULE = "lower-case letters and digits in groups joined by single hyphens, at most 64 characters";
const ROLE = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const ROLE_MAX = 64;
/** Names that Windows gives to devices whatever their extension. */
const RESERVED = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])$/;

export interface RoleError {
  readonly message: string;
  readonly hint: string;
}

/** Checks a role's name; `known` are roles that exist, for the suggestion. */
export function parseRole(name: string, known: Iterable<string> = []): Result<RoleName, RoleError> {
  if (isRoleName(name)) return ok(name);
  const near = suggest(name, known) ?? nearValid(name);
  const shown = JSON.stringify(name.length > 80 ? `${name.slice(0, 77)}...` : name);
  return err({
    message: RESERVED.test(name) ? `Role ${shown} is a device name on Windows.` : `Role ${shown} is not a role name.`,
    hint: `A role is ${ROLE_RULE}.${near === null ? "" : ` Did you mean "${near}"?`}`,
  });
}

export function isRoleName(name: string): name is RoleName {
  return name.length <= ROLE_MAX && ROLE.test(name) && !RESERVED.test(name);
}

export function machineName(role: RoleName): MachineName {
  const name = role.replaceAll("-", "_");
  invariant(isMachineName(name), "a role's name makes a machine's");
  return name;
}

/** The role of a machine's name, or null where no role has that machine. */
export function roleOfMachine(name: string): RoleName | null {
  const role = name.replaceAll("_", "-");
  return !name.includes("-") && isRoleName(role) ? role : null;
}

function isMachineName(name: string): name is MachineName {
  return /^[a-z0-9_]+$/.test(name);
}

/** `A B`, `a_b`, `Oosh.Expert`, the path of a context file as the role they were probably meant to be. */
function nearValid(name: string): string | null {
  const folded = name
    .toLowerCase()
    .replace(/^.*\/|\.context(\.md)?$/g, "")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
  return folded.length > 1 && isRoleName(folded) ? folded : null;
}
