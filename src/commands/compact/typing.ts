import { err, ok, type Result } from "../../base/result.ts";
import { monotonicMs } from "../../platform/clock.ts";
import { pause } from "../../platform/pause.ts";
import { type Keys, leaveMode, type Pane, paneScreen, sendKeys } from "../../platform/tmux-panes.ts";
import type { CommandContext } from "../command-context.ts";
import { paneName } from "./find-pane.ts";
import { type InputLine, readScreen, type Screen, withoutBlanks } from "./input-line.ts";
import { checkOccupant, NOT_THE_CLIENT, type Objection, type Occupied } from "./occupant.ts";

export interface Typist extends Occupied {
  /** Type although no input line can be told on the screen. */
  readonly anyScreen: boolean;
  readonly leaveCopyMode: boolean;
  readonly stop: AbortSignal;
}

/** A passing objection, such as a screen that is being drawn, is given this long to pass. */
const GRACE_MS = 3000;
const LOOK_EVERY_MS = 150;
/** The sign that a turn runs moves several times a second. */
const STILL_MS = 1200;
/** A screen that nobody can read is given this long to take a text in. */
const BLIND_MS = 400;
/** A client that draws drops keys now and then. */
const MOST_ENTERS = 3;
const ENTER_MS = 2000;

const STOPPED: Objection = { code: "interrupted", message: "Interrupted." };

/** The pane, once the role's agent reads its keyboard and nothing stands on its input line; `graceMs` is how long that may take. */
export async function awaitReady(
  context: CommandContext,
  typist: Typist,
  { graceMs = GRACE_MS, still = false }: { readonly graceMs?: number; readonly still?: boolean } = {},
): Promise<Result<Pane, Objection>> {
  const end = monotonicMs() + graceMs;
  let resting = "";
  let since = monotonicMs();
  let strange = since;
  for (;;) {
    const looked = await lookReady(context, typist);
    const now = monotonicMs();
    // An agent's turn may take long; a shell where it ran does not give way to it.
    if (looked.ok || looked.error.code !== NOT_THE_CLIENT) strange = now;
    if (looked.ok) {
      const { pane, above } = looked.value;
      if (above !== resting) since = now;
      resting = above;
      if (!still || now - since >= STILL_MS) return ok(pane);
    } else {
      if (looked.error.passing !== true) return looked;
      resting = "";
    }
    if (typist.stop.aborted) return err(STOPPED);
    if (now > Math.min(end, strange + GRACE_MS)) return looked.ok ? err(busy(typist)) : looked;
    await pause(LOOK_EVERY_MS, typist.stop);
  }
}

function busy({ pane, role }: Typist): Objection {
  const message = `${role} is still at work: the screen of pane ${paneName(pane)} does not come to rest.`;
  return {
    code: "agent-busy",
    message,
    hint: "Let it end its turn, then run this again; --compact-timeout waits longer.",
  };
}

async function lookReady(
  context: CommandContext,
  typist: Typist,
): Promise<Result<{ readonly pane: Pane; readonly above: string }, Objection>> {
  const pane = await checkOccupant(context, typist);
  if (!pane.ok) {
    if (pane.error.code !== "copy-mode" || !typist.leaveCopyMode) return pane;
    await leaveMode(typist.server, typist.pane);
    return err({ ...pane.error, passing: true });
  }
  const screen = await readPane(typist);
  if (!screen.ok) return screen;
  const { input, above } = screen.value;
  const objection = objectionTo(input, typist);
  return objection === null ? ok({ pane: pane.value, above }) : err(objection);
}

function objectionTo(input: InputLine, { pane, anyScreen }: Typist): Objection | null {
  const name = paneName(pane);
  switch (input.kind) {
    case "empty":
      return null;
    case "none":
      return anyScreen
        ? null
        : {
            code: "no-input-line",
            message: `No input line is to be seen in pane ${name}, expected one that begins with ❯ between two rules; a question may be open there.`,
            hint: "Answer it; where the agent's screen looks otherwise, type all the same with --any-screen.",
            passing: true,
          };
    case "text":
      return {
        code: "input-in-use",
        message: `Text stands on the input line of pane ${name}: somebody may be typing.`,
        hint: "Send it or clear it, then run this again.",
        passing: true,
      };
    default:
      return input satisfies never;
  }
}

async function readPane({ server, pane }: Typist): Promise<Result<Screen, Objection>> {
  const screen = await paneScreen(server, pane);
  if (screen.ok) return ok(readScreen(screen.value));
  return err({
    code: "tmux-failed",
    message: `The screen of pane ${paneName(pane)} cannot be read: ${screen.error.message}.`,
  });
}

/**
 * Types a line and sends it off with Enter. Whoever the pane belongs to is looked at again before the text and before
 * Enter; where it comes to nothing, what was typed is taken back.
 */
export async function typeLine(
  context: CommandContext,
  typist: Typist,
  line: string,
): Promise<Result<null, Objection>> {
  const ready = await awaitReady(context, typist);
  if (!ready.ok) return ready;
  if (typist.stop.aborted) return err(STOPPED);
  const typed = await send(typist, ready.value, { text: line });
  if (!typed.ok) return typed;
  const sent = typist.anyScreen ? await enterBlind(context, typist, line) : await enterSeen(context, typist, line);
  return sent;
}

async function send(typist: Typist, pane: Pane, keys: Keys): Promise<Result<null, Objection>> {
  const sent = await sendKeys(typist.server, pane, typist.role, keys);
  if (!sent.ok) return err({ code: "tmux-failed", message: `tmux could not type: ${sent.error.message}.` });
  if (sent.value) return ok(null);
  const message = `Pane ${paneName(pane)} changed at the moment of typing; nothing was typed.`;
  return err({ code: "pane-changed", message, hint: "Look at the pane, then run this again." });
}

async function enterBlind(context: CommandContext, typist: Typist, line: string): Promise<Result<null, Objection>> {
  await pause(BLIND_MS, typist.stop);
  const pane = await checkOccupant(context, typist);
  if (!pane.ok) return err(left(pane.error, line));
  if (typist.stop.aborted) return takeBack(typist, pane.value, line, STOPPED);
  return send(typist, pane.value, { key: "Enter", times: 1 });
}

async function enterSeen(context: CommandContext, typist: Typist, line: string): Promise<Result<null, Objection>> {
  for (let enters = 0; ; enters++) {
    const stands = enters === 0 ? await awaitInput(typist, (input) => isLine(input, line), GRACE_MS) : true;
    const pane = await checkOccupant(context, typist);
    if (!pane.ok) return err(left(pane.error, line));
    if (typist.stop.aborted) return takeBack(typist, pane.value, line, STOPPED);
    if (!stands || enters === MOST_ENTERS) {
      const message = `What was typed into pane ${paneName(typist.pane)} ${stands ? "was not taken in by Enter" : "did not come to stand on its input line as it was typed"}.`;
      return takeBack(typist, pane.value, line, {
        code: "not-taken",
        message,
        hint: "Look at the pane, then run this again.",
      });
    }
    const sent = await send(typist, pane.value, { key: "Enter", times: 1 });
    if (!sent.ok) return takeBack(typist, pane.value, line, sent.error);
    // A second Enter on a line that is gone could answer a question.
    if (await awaitInput(typist, (input) => !isLine(input, line), ENTER_MS)) return ok(null);
  }
}

function isLine(input: InputLine, line: string): boolean {
  return input.kind === "text" && input.text === withoutBlanks(line);
}

async function awaitInput(typist: Typist, isSo: (input: InputLine) => boolean, forMs: number): Promise<boolean> {
  for (const end = monotonicMs() + forMs; ; ) {
    const screen = await readPane(typist);
    if (screen.ok && isSo(screen.value.input)) return true;
    if (monotonicMs() > end || typist.stop.aborted) return screen.ok && isSo(screen.value.input);
    await pause(LOOK_EVERY_MS, typist.stop);
  }
}

/** Rubs out as many characters as were typed, unless the line is no longer what was typed. */
async function takeBack(
  typist: Typist,
  pane: Pane,
  line: string,
  objection: Objection,
): Promise<Result<never, Objection>> {
  const screen = await readPane(typist);
  if (!screen.ok) return err(left(objection, line));
  const { input } = screen.value;
  // An agent that has not drawn it yet reads the text first, and then that it is rubbed out.
  const isOurs = typist.anyScreen || input.kind === "empty" || isPartOf(input, line);
  if (!isOurs) return err(left(objection, line));
  const erased = await send(typist, pane, { key: "BSpace", times: [...line].length });
  return err(erased.ok ? objection : left(objection, line));
}

function isPartOf(input: InputLine, line: string): boolean {
  return input.kind === "text" && withoutBlanks(line).startsWith(input.text);
}

function left(objection: Objection, line: string): Objection {
  const hint = `${objection.hint ?? ""} What was typed may still stand there: ${JSON.stringify(line)}.`.trim();
  return { ...objection, hint };
}
