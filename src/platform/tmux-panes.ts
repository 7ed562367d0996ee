import { err, ok, type Result } from "../base/result.ts";
import { askTmux, type TmuxProblem, type TmuxServer, tmuxInvoked } from "./tmux-client.ts";

/** A pane of a tmux server, as the server tells of it now. */
export interface Pane {
  /** `%4`: its own for as long as the server runs. */
  readonly id: string;
  /** The process that tmux started in it. */
  readonly pid: number;
  /** The server's process. */
  readonly server: number;
  /** Its terminal, such as `/dev/pts/3`. */
  readonly tty: string;
  readonly isDead: boolean;
  /** In copy mode, or in another one in which keys do not reach the program. */
  readonly inMode: boolean;
  /** The user option `@role` is: not set, the name that was asked for, or another one. */
  readonly role: "none" | "same" | "other";
  /** Whether its title is exactly the name that was asked for. */
  readonly isTitled: boolean;
  /** `session:window.pane`, one for each session that shows it. */
  readonly addresses: readonly string[];
  /** The program in the foreground, as tmux names it. */
  readonly program: string;
}

/** Names what may stand in a format as it is. */
const PLAIN_NAME = /^[A-Za-z0-9_.-]{1,64}$/;

/** The server's panes. `name` is what `@role` and the title are compared with: letters, digits and hyphens. */
export async function listPanes(server: TmuxServer, name: string): Promise<Result<readonly Pane[], TmuxProblem>> {
  // Free text can hold any separator, so the server compares it; the two texts at the end cannot be taken for another.
  const format = [
    "#{pane_id}",
    "#{pane_pid}",
    "#{pid}",
    "#{pane_tty}",
    "#{pane_dead}",
    "#{pane_in_mode}",
    `#{==:#{@role},${name}}`,
    "#{!=:#{@role},}",
    `#{==:#{pane_title},${name}}`,
    "#{session_name}:#{window_index}.#{pane_index}",
    "#{pane_current_command}",
  ].join("|");
  const listed = await askTmux(server, ["list-panes", "-a", "-F", format]);
  if (!listed.ok) return listed;
  const panes = new Map<string, Pane>();
  for (const line of listed.value.split("\n")) {
    const pane = paneOf(line);
    if (pane === null) continue;
    const seen = panes.get(pane.id);
    panes.set(pane.id, seen === undefined ? pane : { ...seen, addresses: [...seen.addresses, ...pane.addresses] });
  }
  return ok([...panes.values()]);
}

function paneOf(line: string): Pane | null {
  const [, head, address, program] = /^((?:[^|]*\|){9})([^:]*:\d+\.\d+)\|(.*)$/.exec(line) ?? [];
  const [id, pid, server, tty, dead, mode, same, set, titled] = head?.split("|") ?? [];
  if (id === undefined || tty === undefined || address === undefined || program === undefined) return null;
  return {
    id,
    pid: Number(pid),
    server: Number(server),
    tty,
    isDead: dead === "1",
    // A count: modes can lie one above the other.
    inMode: mode !== "0" && mode !== "",
    role: same === "1" ? "same" : set === "1" ? "other" : "none",
    isTitled: titled === "1",
    addresses: [address],
    program,
  };
}

/** What a format says of a pane: one text, whatever is in it; empty where the pane is gone. */
export async function paneText(server: TmuxServer, pane: Pane, format: string): Promise<string> {
  const said = await askTmux(server, ["display-message", "-p", "-t", pane.id, format]);
  return said.ok ? said.value.replace(/\n$/, "") : "";
}

/** What stands on a pane's screen, with its colours as escape sequences. */
export async function paneScreen(server: TmuxServer, pane: Pane): Promise<Result<string, TmuxProblem>> {
  return askTmux(server, ["capture-pane", "-p", "-e", "-t", pane.id]);
}

/** Brings a pane back from copy mode and the like. */
export async function leaveMode(server: TmuxServer, pane: Pane): Promise<Result<string, TmuxProblem>> {
  return askTmux(server, ["send-keys", "-t", pane.id, "-X", "cancel"]);
}

/** What is sent to a pane: text as it is, or a key by its name and how many times. */
export type Keys = { readonly text: string } | { readonly key: "Enter" | "BSpace"; readonly times: number };

/**
 * Sends keys to a pane if it is still what it was: the server looks and sends in one step, so that nothing can come in
 * between. False where it has changed, and then nothing was sent.
 */
export async function sendKeys(
  server: TmuxServer,
  pane: Pane,
  name: string,
  keys: Keys,
): Promise<Result<boolean, TmuxProblem>> {
  const conditions = [
    `#{==:#{pid},${pane.server}}`,
    `#{==:#{pane_pid},${pane.pid}}`,
    "#{==:#{pane_dead},0}",
    "#{==:#{pane_in_mode},0}",
    `#{==:#{@role},${pane.role === "same" ? name : ""}}`,
    ...(PLAIN_NAME.test(pane.program) ? [`#{==:#{pane_current_command},${pane.program}}`] : []),
  ];
  const guard = conditions.reduceRight((rest, one) => `#{&&:${one},${rest}}`);
  const what = "text" in keys ? `-l -- ${tmuxQuote(keys.text)}` : `-N ${keys.times} ${keys.key}`;
  const sent = await askTmux(server, [
    ...["if-shell", "-F", "-t", pane.id, guard],
    ...[`send-keys -t ${pane.id} ${what}`, "display-message -p changed"],
  ]);
  if (sent.ok) return ok(sent.value.trim() !== "changed");
  return sent.error.kind === "failed" && /can't find pane/.test(sent.error.message) ? ok(false) : err(sent.error);
}

/** The pane's user option that names the process whose round the pane is in. */
const HOLDER = "@context_round";
/** What a format takes for nothing but itself. */
const PLAIN_HOLDER = /^[A-Za-z0-9_./@-]{0,300}$/;

/**
 * Puts a process's name on a pane in place of `former`, the empty text for nobody's: the server looks and writes in one step.
 * Whose name stands there by then, again the empty text for nobody's: `former` took its own off. Null where such a name cannot
 * be put there, and nobody's is then looked at.
 */
export async function takePane(
  server: TmuxServer,
  pane: Pane,
  { own, former }: { readonly own: string; readonly former: string },
): Promise<string | null> {
  if (!PLAIN_HOLDER.test(own) || !PLAIN_HOLDER.test(former)) return null;
  const taken = await askTmux(server, [
    ...["if-shell", "-F", "-t", pane.id, `#{==:#{${HOLDER}},${former}}`],
    ...[`set-option -p -t ${pane.id} ${HOLDER} ${tmuxQuote(own)}`, `display-message -p -t ${pane.id} '#{${HOLDER}}'`],
  ]);
  // It prints a line where another name stands there, or none.
  return taken.ok ? (taken.value === "" ? own : taken.value.replace(/\n$/, "")) : null;
}

/** The command line that takes whatever name off the pane. */
export function freedBy(server: TmuxServer, pane: Pane): string {
  return `${tmuxInvoked(server)} set-option -p -u -t ${pane.id} ${HOLDER}`;
}

/** Takes the process's name off the pane, where it stands there. */
export async function leavePane(server: TmuxServer, pane: Pane, own: string): Promise<void> {
  if (!PLAIN_HOLDER.test(own)) return;
  const isOwn = `#{==:#{${HOLDER}},${own}}`;
  await askTmux(server, ["if-shell", "-F", "-t", pane.id, isOwn, `set-option -p -u -t ${pane.id} ${HOLDER}`]);
}

/** Between single quotes tmux reads everything as it is, but a single quote. */
function tmuxQuote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
