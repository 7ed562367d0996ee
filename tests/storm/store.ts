import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Line, parseLines, parseSnapshot, type Snapshot } from "./model.ts";

/** Where the machines of a storm are, read without the program. */
export interface Store {
  /** What the program is told of it. */
  readonly env: Readonly<Record<string, string>>;
  readonly role: (role: string) => Promise<Kept>;
  /** Names that no run that has ended leaves behind. */
  readonly left: () => readonly string[];
}

/** A role's machine as it lies there. */
export interface Kept {
  /** Null where there is none; a sentence where there is one and it is not whole. */
  readonly snapshot: Snapshot | string | null;
  readonly lines: readonly Line[];
  readonly broken: number;
}

export function fileStore(folder: string, env: Readonly<Record<string, string>>): Store {
  const text = (name: string) => (existsSync(join(folder, name)) ? readFileSync(join(folder, name), "utf8") : null);
  return {
    env,
    role: async (role) => {
      const machine = role.replaceAll("-", "_");
      const state = text(`${machine}.states.env`);
      return {
        snapshot:
          state === null ? null : (parseSnapshot(state) ?? `${machine}.states.env holds no whole state: ${state}`),
        ...parseLines(text(`${machine}.history.jsonl`) ?? ""),
      };
    },
    left: () =>
      (existsSync(folder) ? readdirSync(folder) : []).filter((name) => !/\.(?:states\.env|history\.jsonl)$/.test(name)),
  };
}
