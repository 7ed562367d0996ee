import { validate } from "../../commands/validate.ts";
import { validateAll } from "../../commands/validate-all.ts";
import type { Entry } from "../entry.ts";
import { FINDING_FORMS } from "../finding-forms.ts";
import { flag, runCommand } from "../run-command.ts";

export const entry: Entry = {
  validate: (world, invocation) =>
    runCommand(
      world,
      invocation,
      (context) =>
        validate(context, {
          targets: invocation.positionals,
          fix: flag(invocation, "fix"),
          strict: flag(invocation, "strict"),
        }),
      FINDING_FORMS,
    ),
  "validate.all": (world, invocation) =>
    runCommand(
      world,
      invocation,
      (context) => validateAll(context, { fix: flag(invocation, "fix"), strict: flag(invocation, "strict") }),
      FINDING_FORMS,
    ),
};
