import { BARE_ENV, type Ran, startProgram } from "../../helpers/run-program.ts";
import type { Workspace } from "../../helpers/workspace.ts";
import { type ClientHome, MADE_UP_KEY, makeHome } from "./client-home.ts";
import { clientWords, NEWEST, type Version } from "./client-version.ts";
import { type FakeModel, startFakeModel } from "./fake-model.ts";
import { keepTimes } from "./kept-times.ts";
import { makeProject } from "./project.ts";

export interface StageOptions {
  readonly version?: Version;
  /** Another one than the usual, or one that another session works in as well. */
  readonly project?: Workspace;
  /** Words for the client in every run, such as the place of a plugin or of other settings. */
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** A project, a client with a home of its own, and the model that it talks to. */
export interface Stage {
  readonly version: Version;
  readonly project: Workspace;
  readonly home: ClientHome;
  readonly model: FakeModel;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Every tool that a scenario uses, without a question to a person who is not there. */
const TOOLS = ["--permission-mode", "acceptEdits", "--allowedTools", "Bash,Read,Edit,Write,Skill"];

export async function setStage(options: StageOptions = {}): Promise<Stage> {
  const { version = NEWEST, project = makeProject(), args = [], env = {} } = options;
  const home = makeHome(project.root);
  const model = await startFakeModel();
  keepTimes(version, home);
  return { version, project, home, model, args: [...TOOLS, ...args], env: { ...clientEnv(home, model), ...env } };
}

/** All that the client has in its environment: nothing of whoever runs the tests. */
function clientEnv(home: ClientHome, model: FakeModel): Readonly<Record<string, string>> {
  return {
    ...BARE_ENV,
    HOME: home.root,
    SHELL: "/bin/bash",
    TERM: "xterm-256color",
    ANTHROPIC_BASE_URL: model.url,
    ANTHROPIC_API_KEY: MADE_UP_KEY,
    DISABLE_TELEMETRY: "1",
    DISABLE_ERROR_REPORTING: "1",
    DISABLE_AUTOUPDATER: "1",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  };
}

export interface Answer extends Ran {
  readonly sessionId: string;
  /** What the client prints as the result. */
  readonly result: string;
  readonly failed: boolean;
}

/** One prompt to the client without a terminal, to the end of the model's last turn. */
export async function ask(stage: Stage, prompt: string, args: readonly string[] = []): Promise<Answer> {
  const [file, ...words] = clientWords(stage.version);
  const { child, ended } = startProgram(
    file,
    [...words, "-p", prompt, "--output-format", "json", ...stage.args, ...args],
    { cwd: stage.project.root, env: stage.env },
  );
  child.stdin?.end();
  const ran = await ended;
  const printed: { session_id?: string; result?: string; is_error?: boolean } =
    ran.stdout === "" ? {} : JSON.parse(ran.stdout);
  const { session_id = "", result = "", is_error = true } = printed;
  return { ...ran, sessionId: session_id, result, failed: ran.code !== 0 || is_error };
}
