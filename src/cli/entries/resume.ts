import { resumeMigrate } from "../../commands/resume/migrate.ts";
import { resumeNew } from "../../commands/resume/new.ts";
import { resumeShow } from "../../commands/resume/show.ts";
import { resumeUpdate } from "../../commands/resume/update.ts";
import { resumeValidate } from "../../commands/resume/validate.ts";
import type { Entry } from "../entry.ts";
import { FINDING_FORMS } from "../finding-forms.ts";
import { flag, runCommand } from "../run-command.ts";

export const entry: Entry = {
  "resume.new": (world, invocation) =>
    runCommand(world, invocation, (context) => resumeNew(context, invocation.positionals[0] ?? "")),
  "resume.show": (world, invocation) =>
    runCommand(world, invocation, (context) => resumeShow(context, invocation.positionals[0])),
  "resume.update": (world, invocation) =>
    runCommand(world, invocation, (context) => resumeUpdate(context, invocation.positionals[0] ?? "")),
  "resume.validate": (world, invocation) =>
    runCommand(world, invocation, (context) => resumeValidate(context, invocation.positionals[0]), FINDING_FORMS),
  "resume.migrate": (world, invocation) =>
    runCommand(world, invocation, (context) =>
      resumeMigrate(context, {
        project: invocation.positionals[0],
        dryRun: flag(invocation, "dry-run"),
        rollback: flag(invocation, "rollback"),
      }),
    ),
};
