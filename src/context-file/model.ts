import * as z from "zod";

/** What a section of a context file is for; `other` is a heading the schema does not speak of. */
export const SectionKind = z.enum(["recovery-steps", "completed-work", "pending", "key-files", "other"]);
export type SectionKind = z.infer<typeof SectionKind>;

/** What a context file says, without its places: null or an empty list where the file does not say it. */
export const ContextFile = z
  .object({
    title: z.string().nullable().describe("Text of the heading on line 1"),
    roleTitle: z.string().nullable().describe("The title's part before the em dash"),
    updated: z.string().nullable().describe("Date of **Updated**, with its time where it has one, as written"),
    role: z
      .object({
        name: z.string().describe("Name of the role"),
        description: z.string().nullable().describe("What stands in parentheses after the name"),
      })
      .nullable()
      .describe("The **Role** field"),
    pane: z.string().nullable().describe("The **Pane** field"),
    sections: z
      .array(
        z.object({
          heading: z.string().describe("Text of the ## heading"),
          kind: SectionKind,
          line: z.int().positive().describe("Line of the heading, from 1"),
        }),
      )
      .describe("Every ## section, in the file's order"),
    recoverySteps: z.array(z.string()).describe("Numbered items of Recovery Steps, without their numbers"),
    completedTasks: z
      .array(
        z.object({
          title: z.string().describe("Text of the ### heading"),
          done: z.boolean().describe("Whether the heading carries a (DONE) mark"),
          line: z.int().positive().describe("Line of the heading, from 1"),
        }),
      )
      .describe("The ### headings of Completed Work"),
    pending: z.array(z.string()).describe("Top-level items of Pending"),
    keyFiles: z.array(z.string()).describe("Paths that stand in backticks at the start of an item of Key Files"),
  })
  .describe("A role's context file, session/agents/<role>.context.md");
export type ContextFile = z.infer<typeof ContextFile>;
