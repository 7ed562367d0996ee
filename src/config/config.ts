import * as z from "zod";
import { askFault } from "./ask-fault.ts";
import { DEFAULT_ASK } from "./default-ask.ts";

/** By its text; whether a link leads out of the project is for whoever reads there to see. */
const folder = z.string().refine((path) => {
  let depth = 0;
  const stays = path.split(/[/\\]/).every((name) => {
    depth += name === ".." ? -1 : Number(name !== "" && name !== ".");
    return depth >= 0;
  });
  return stays && !/^(?:[/\\~]|[A-Za-z]:)|\0/.test(path);
}, "expected a folder inside the project");

/** `context.yaml` at the project's root: every key is optional, every default stands here. */
export const Config = z.object({
  layout: z
    .object({
      system: folder.default("00-system"),
      memory: folder.default("01-memory"),
      projects: folder.default("02-projects"),
      skills: folder.default("03-skills"),
      workspace: folder.default("04-workspace"),
    })
    .prefault({}),
  /** Tokens. */
  budgets: z
    .object({ startup: z.int().min(500).default(20_000), compact: z.int().min(500).default(10_000) })
    .prefault({}),
  /** Characters that a hook may inject, and hook entries to split over. */
  delivery: z
    .object({ cap: z.int().min(1000).max(10_000).default(10_000), parts: z.int().min(1).max(30).default(4) })
    .prefault({}),
  tone: z.enum(["firm", "plain"]).default("firm"),
  recovery: z
    .object({
      architecture: z
        .string()
        .regex(/^[^\0]*$/, "expected no NUL in a path")
        .default("docs/oosh-architecture.md"),
    })
    .prefault({}),
  /** What `lifecycle.compact` types into the agent's pane; `{role}`, `{file}` and `{save}` are filled in. */
  compact: z
    .object({
      ask: z
        .string()
        .superRefine((text, { addIssue }) => {
          const fault = askFault(text);
          if (fault !== null) addIssue(fault);
        })
        .default(DEFAULT_ASK),
    })
    .prefault({}),
  /** Names the project where a store holds the machines of several. */
  store: z.object({ prefix: z.string().default("") }).prefault({}),
  /** Further patterns of secrets. */
  redact: z.array(z.string()).default([]),
});

export type Config = z.infer<typeof Config>;
