import { resolve } from "node:path";
import { err, ok, type Result } from "../../base/result.ts";
import { estimateTokens } from "../../base/token-estimate.ts";
import { fileSize } from "../../platform/file-size.ts";
import { withoutOptimising } from "../../platform/optimiser.ts";
import { readText } from "../../platform/read-text.ts";
import { readWholeStdin } from "../../platform/stdin.ts";
import { type LoadedConfig, loadConfig } from "../../stores/config-store.ts";
import { shownPath } from "../../stores/paths.ts";
import { readTranscript } from "../../stores/transcript-store.ts";
import type { AgentEvent } from "../../thread/event.ts";
import { type SerializeOptions, writeThread } from "../../thread/serialize-thread.ts";
import { createStringWriter, createXmlWriter } from "../../thread/xml-writer.ts";
import { redact } from "../../transcript/redact.ts";
import { mayHoldSecret } from "../../transcript/secret-sign.ts";
import type { CommandContext } from "../command-context.ts";
import { isNone, transcriptNotes } from "../open-transcript.ts";
import { ownPatterns } from "../redact-patterns.ts";
import { done, failed, type Report, usage } from "../report.ts";
import { noRows, type ReadEvents, readEvents } from "./read-events.ts";
import { redactEvent } from "./redact-event.ts";
import { transcriptEvents } from "./transcript-events.ts";

export interface ThreadInput {
  /** A path, or `-` for standard input. */
  readonly file: string;
  /** Only so many of the newest events. */
  readonly last: string | undefined;
  readonly sinceCompaction: boolean;
  /** Tokens. */
  readonly budget: string | undefined;
  readonly escape: "full" | "structural";
  /** With the attributes that bring every field back. */
  readonly full: boolean;
  /** Leave secrets in. */
  readonly raw: boolean;
}

/** A text that is read whole, such as a log of events, is at most this large; a transcript is read from its end. */
const TEXT_MAX_BYTES = 64 * 1024 * 1024;

/** Up to here V8 would spend more on making code fast than fast code saves. */
const SHORT_BYTES = 16 * 1024 * 1024;

const NAME_ONE = "Name a transcript, or events as JSON.";

/** `thread <file>`: a transcript, or agent events, as `<thread>` XML. */
export async function thread(context: CommandContext, input: ThreadInput): Promise<Report> {
  const last = wholeNumber(input.last);
  const budget = tokensOf(input.budget);
  if (last === null) return usage("--last takes a whole number of events from 1 up.");
  if (budget === null) return usage(`--budget takes a whole number of tokens from ${BUDGET_MIN} up.`);
  const config = await loadConfig(context.paths);
  const stdin = input.file === "-" ? await readWholeStdin(TEXT_MAX_BYTES) : null;
  if (stdin !== null && stdin.end !== "closed") {
    const message = `Standard input is larger than ${TEXT_MAX_BYTES} bytes.`;
    return failed({ code: "input-unreadable", message });
  }
  const size = stdin === null ? fileSize(resolve(context.cwd, input.file)) : stdin.bytes.length;
  const isShort = size !== null && size <= SHORT_BYTES;
  const work = () => told(context, input, { config, stdin: stdin?.bytes ?? null, last, budget, isShort });
  return isShort ? withoutOptimising(work) : work();
}

interface Told {
  readonly config: LoadedConfig;
  readonly stdin: Buffer | null;
  readonly last: number | undefined;
  readonly budget: number | undefined;
  /** Over before V8 has made anything fast. */
  readonly isShort: boolean;
}

function told(context: CommandContext, input: ThreadInput, { config, stdin, last, budget, isShort }: Told): Report {
  const read =
    stdin === null ? open(context, input.file) : parsed(readEvents(stdin.toString("utf8")), "Standard input");
  if (!read.ok) return read.error;
  const own = ownPatterns(config.value);
  const from = input.sinceCompaction ? read.value.beforeCompaction : 0;
  const start = Math.max(from, last === undefined ? 0 : read.value.events.length - last);
  const redactText = (text: string) =>
    own.patterns.length > 0 || mayHoldSecret(text) ? redact(text, own.patterns) : text;
  const clean = (event: AgentEvent) => (input.raw ? event : redactEvent(event, redactText));
  const all = numbered(read.value.events).map((event, at) => (at < start ? linkedBy(event, clean) : clean(event)));
  const options = { escape: input.escape, attributes: input.full ? "full" : "standard", skip: start } as const;
  const write = (more: SerializeOptions = {}) =>
    writeThread(all, { ...options, ...more }, isShort ? createStringWriter : createXmlWriter);
  const text = withinBudget(write, budget);
  const notes = [...config.notes, ...own.notes, ...read.value.notes];
  return done(
    `${text}\n`,
    { events: all.slice(start), thread: text, left_out: budget === undefined ? start : leftOut(text) },
    notes,
  );
}

function open(context: CommandContext, file: string): Result<ReadEvents, Report> {
  const path = resolve(context.cwd, file);
  const whole = readText(path, TEXT_MAX_BYTES);
  if (whole.ok) return parsed(readEvents(whole.value.text), shownPath(context.paths, path));
  // Too large, or with bytes that are no text: a transcript can be read all the same, row by row from its end.
  const transcript = readTranscript(path, "whole");
  if (!transcript.ok || whole.error.problem === "missing") {
    return err(
      failed({
        code: `input-${whole.error.problem}`,
        message: `${shownPath(context.paths, path)} ${whole.error.message}.`,
        hint: NAME_ONE,
      }),
    );
  }
  if (isNone(transcript.value)) {
    return parsed(err(noRows(transcript.value.rows)), shownPath(context.paths, path));
  }
  return ok({ ...transcriptEvents(transcript.value.activities), notes: transcriptNotes(transcript.value) });
}

function parsed(read: Result<ReadEvents, string>, name: string): Result<ReadEvents, Report> {
  return read.ok ? read : err(failed({ code: "input-invalid", message: `${name} ${read.error}.`, hint: NAME_ONE }));
}

/** An event without an id of its own gets its position in the whole, which stays when older ones are left out. */
function numbered(events: readonly AgentEvent[]): readonly AgentEvent[] {
  return events.map((event, position) => (event.id === undefined ? { ...event, id: String(position) } : event));
}

/** An event that is left out is asked for the name of its tool alone: a result that is kept carries that. */
function linkedBy(event: AgentEvent, clean: (event: AgentEvent) => AgentEvent): AgentEvent {
  return event.type === "tool_call" ? clean({ ...event, args: {} }) : event;
}

/** How many events the marks of a thread stand for; no text of an event holds a tag. */
function leftOut(thread: string): number {
  const marks = thread.matchAll(/<event type="omitted" id="\d+" count="(\d+)">/g);
  return [...marks].reduce((sum, [, count]) => sum + Number(count), 0);
}

/** A character is at most about four tokens, and an escaped one costs no less: fewer and fewer until it fits. */
function withinBudget(write: (more?: SerializeOptions) => string, budget: number | undefined): string {
  let text = write();
  if (budget === undefined) return text;
  for (let tokens = estimateTokens(text); tokens > budget; tokens = estimateTokens(text)) {
    const maxCharacters = Math.floor(text.length * Math.min(0.95, budget / tokens));
    if (maxCharacters < SMALLEST) return "";
    text = write({ maxCharacters });
  }
  return text;
}

/** An empty thread. */
const SMALLEST = "<thread>\n</thread>".length;

/** Room for the mark that counts what is left out, the least that a thread may say; `trail` begins there as well. */
const BUDGET_MIN = 50;

function tokensOf(text: string | undefined): number | undefined | null {
  const tokens = wholeNumber(text);
  return typeof tokens === "number" && tokens < BUDGET_MIN ? null : tokens;
}

/** Undefined where it is absent, null where it is no such number. */
function wholeNumber(text: string | undefined): number | undefined | null {
  if (text === undefined) return undefined;
  return /^[1-9][0-9]{0,8}$/.test(text) ? Number(text) : null;
}
