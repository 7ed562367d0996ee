import type { Rule } from "../rule.ts";
import { completedWorkRule } from "./completed-work.ts";
import { doneMarkerRule } from "./done-marker.ts";
import { duplicateSectionRule } from "./duplicate-section.ts";
import { firstStepRule } from "./first-step.ts";
import { headingNameRule } from "./heading-name.ts";
import { keyFilesRule } from "./key-files.ts";
import { mergeConflictRule } from "./merge-conflict.ts";
import { metadataRule } from "./metadata.ts";
import { pendingRule } from "./pending.ts";
import { recoveryStepsRule } from "./recovery-steps.ts";
import { roleMismatchRule } from "./role-mismatch.ts";
import { staleContextRule } from "./stale-context.ts";
import { titleRule } from "./title.ts";
import { updatedDateRule } from "./updated-date.ts";

/** Every rule, in the order in which fixes are applied: the top of the file first, since the rest is counted from it. */
export const RULES: readonly Rule[] = [
  titleRule,
  metadataRule,
  updatedDateRule,
  recoveryStepsRule,
  completedWorkRule,
  firstStepRule,
  pendingRule,
  keyFilesRule,
  doneMarkerRule,
  staleContextRule,
  roleMismatchRule,
  duplicateSectionRule,
  mergeConflictRule,
  headingNameRule,
];
