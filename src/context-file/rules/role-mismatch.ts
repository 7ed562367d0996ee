import { quote } from "../../base/quote.ts";
import type { Rule } from "../rule.ts";

/** A file says of itself whose it is, and is right. */
export const roleMismatchRule: Rule = {
  code: "role-mismatch",
  severity: "warning",
  summary: "The name in `**Role**` is the role that the file is named after.",
  why: "An agent that reads the memory of another role takes up work that is not its own.",
  good: "**Role**: oosh-expert (implementation & architecture)",
  mends: "Rewrites another spelling of the same name, such as `OOSH_Expert`. Another name is left to a person.",
  check(file, { role }) {
    const field = file.fields.Role;
    const name = file.data.role?.name;
    if (role === undefined || field === null || name === undefined || name === role) return [];
    const span = { start: field.valueStart, end: field.valueStart + name.length };
    const isSame = name.length <= 100 && name.toLowerCase().replace(/[\s_]+/g, "-") === role;
    return [
      {
        span,
        message: `Expected the role ${quote(role)} of the file's name, found ${quote(name)}`,
        hint: `Write "**Role**: ${role}", or move the file to the role that it belongs to.`,
        ...(isSame ? { fix: [{ span, text: role }] } : {}),
      },
    ];
  },
};
