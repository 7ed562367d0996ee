import { readFileSync } from "node:fs";
import { fieldOf } from "./model-request.ts";

/** A hook that the client ran, and how long it says that took. */
export interface HookTime {
  readonly hook: string;
  readonly ms: number;
}

/** What a transcript says of those of our hooks that had something to say; 2.0.76 writes no times. */
export function hookTimes(transcript: string): readonly HookTime[] {
  return readFileSync(transcript, "utf8")
    .split("\n")
    .flatMap((line) => {
      const attachment = fieldOf(parsed(line), "attachment");
      const [hook, command, ms, stdout] = ["hookName", "command", "durationMs", "stdout"].map((key) =>
        fieldOf(attachment, key),
      );
      if (typeof hook !== "string" || typeof command !== "string" || typeof ms !== "number") return [];
      // One that a scenario broke says nothing, and would look fast.
      if (typeof stdout !== "string" || stdout === "") return [];
      const part = /--part (\d+\/\d+)/.exec(command)?.[1];
      return [{ hook: part === undefined ? hook : `${hook}, part ${part}`, ms }];
    });
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // The last line of a client that was ended.
    return null;
  }
}
