import * as z from "zod";
import { FINDING_CODES } from "./docs-findings.ts";

const SEVERITY = z.enum(["fail", "warn"]);
const MS = z.number().min(0).describe("Milliseconds.");

/** What `doctor --json` prints. */
const DoctorReport = z.object({
  schema_version: z.literal(1),
  ok: z.boolean().describe("Whether nothing fails."),
  error: z
    .object({ code: z.string(), message: z.string(), hint: z.string().nullable() })
    .optional()
    .describe("Where something fails."),
  root: z.string(),
  version: z.string().describe("Of the program that looked."),
  summary: z.object({ fail: z.int().min(0), warn: z.int().min(0), fixable: z.int().min(0), next: z.string() }),
  checks: z.array(z.object({ id: z.string(), summary: z.string(), result: z.enum(["ok", "warn", "fail"]) })),
  findings: z.array(
    z.object({
      code: z.enum(FINDING_CODES),
      severity: SEVERITY,
      place: z
        .object({ file: z.string(), line: z.int().min(1).nullable(), column: z.int().min(1).nullable() })
        .nullable(),
      message: z.string(),
      hint: z.string(),
      fixable: z.boolean().describe("Whether --fix can mend it here."),
    }),
  ),
  fixed: z.array(z.object({ done: z.boolean(), text: z.string() })).describe("What --fix did, or could not do."),
  probes: z.array(
    z.object({
      event: z.string(),
      occasion: z.string().describe("The start's source, the compaction's trigger, the tool's name."),
      command: z.string(),
      file: z.string(),
      line: z.int().nullable(),
      exit_code: z.int().nullable(),
      timed_out: z.boolean(),
      ms: MS,
      version: z.string().nullable().describe("Of the program that ran; null where it does not say."),
    }),
  ),
  timings: z.object({
    transcripts: z.array(z.string()),
    hooks: z.array(
      z.object({
        hook: z.string(),
        command: z.string().nullable().describe("Null for all commands of the hook together."),
        count: z.int().min(1),
        median: MS,
        p95: MS,
        max: MS,
      }),
    ),
  }),
  notes: z.array(z.string()).optional(),
});

/** The JSON Schema (draft 2020-12) of what `doctor --json` prints. */
export function doctorReportJsonSchema(): object {
  return { title: "context doctor --json", ...z.toJSONSchema(DoctorReport, { io: "input" }) };
}

/** Throws where a document is not of that shape. */
export function assertDoctorReport(value: unknown): void {
  DoctorReport.parse(value);
}
