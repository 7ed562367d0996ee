import { FIELD_FORMS, type FieldName } from "./fields.ts";
import { FIRST_STEP, NONE_RECORDED, SECTION_FORMS, type SectionForm } from "./sections.ts";
import { roleTitleOf } from "./title-form.ts";

export interface TemplateValues {
  /** Name of the role, such as `oosh-expert`. */
  readonly role: string;
  readonly description?: string | undefined;
  /** The file with its instructions, relative to the root; `.claude/agents/<role>/SKILL.md` where it is not named. */
  readonly skill?: string | undefined;
  /** Empty where it is not known. */
  readonly pane: string;
  /** `YYYY-MM-DD`, with an optional time. */
  readonly date: string;
}

/** A context file without findings, for a role that has written nothing down yet. */
export function contextFileTemplate({ role, description = "", skill, pane, date }: TemplateValues): string {
  const about = oneLine(description);
  return contextFileText(
    roleTitleOf(role),
    {
      Updated: date,
      Role: about === "" ? role : `${role} (${about})`,
      Pane: oneLine(pane) || "unknown",
    },
    {
      "recovery-steps": [
        `1. ${FIRST_STEP}`,
        `2. Read \`${skill ?? `.claude/agents/${role}/SKILL.md`}\``,
        "3. Check with the orchestrator for the next task",
      ],
      "completed-work": [NONE_RECORDED],
      pending: [NONE_RECORDED],
      "key-files": [`- \`session/agents/${role}.context.md\` — this file`],
    },
  );
}

/** The shape of every context file: title, fields, sections. */
export function contextFileText(
  roleTitle: string,
  fields: { readonly [K in FieldName]: string },
  sections: { readonly [K in SectionForm["kind"]]: readonly string[] },
): string {
  return [
    `# ${roleTitle} — Session Context`,
    "",
    ...FIELD_FORMS.map(({ name }) => `**${name}**: ${fields[name]}`),
    ...SECTION_FORMS.flatMap(({ name, kind }) => ["", `## ${name}`, ...sections[kind]]),
    "",
  ].join("\n");
}

/** Blanks for newlines and controls; a comment mark would hide all that follows it. */
function oneLine(text: string): string {
  return text
    .replace(/[\s\u0000-\u001F\u007F-\u009F]+/g, " ")
    .replaceAll("<!--", "< !--")
    .trim();
}
