// Of `util.parseArgs` what a command line that is in order needs. A test holds it to Node's.

interface Option {
  readonly type: "string" | "boolean";
  readonly short?: string;
}

export interface ParseArgsOptions {
  readonly args: readonly string[];
  readonly options: Readonly<Record<string, Option>>;
}

export interface ParsedArgs {
  readonly values: Record<string, string | boolean>;
  readonly positionals: string[];
}

/** Strict, with positionals. Throws where Node's does: then the caller reads the command line in another way. */
export function parseArgs({ args, options }: ParseArgsOptions): ParsedArgs {
  const values: Record<string, string | boolean> = {};
  const positionals: string[] = [];
  const byShort = new Map(Object.entries(options).flatMap(([long, { short }]) => (short ? [[short, long]] : [])));
  const typeOf = (long: string): Option["type"] => {
    const option = Object.hasOwn(options, long) ? options[long] : undefined;
    if (option === undefined) throw new TypeError(`Unknown option '${long}'`);
    return option.type;
  };
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? "";
    if (word === "--") {
      positionals.push(...args.slice(at + 1));
      break;
    }
    const next = (long: string): string => {
      const value = args[++at];
      // One that looks like an option would be ambiguous.
      if (value === undefined || (value.length > 1 && value.startsWith("-")))
        throw new TypeError(`Option '${long}' needs a value`);
      return value;
    };
    if (word.startsWith("--")) {
      const equals = word.indexOf("=", 3);
      const long = equals === -1 ? word.slice(2) : word.slice(2, equals);
      const type = typeOf(long);
      if (type === "string") values[long] = equals === -1 ? next(long) : word.slice(equals + 1);
      else if (equals === -1) values[long] = true;
      else throw new TypeError(`Option '${long}' takes no value`);
    } else if (word.startsWith("-") && word !== "-") {
      readShorts(word, (short) => byShort.get(short) ?? "", typeOf, values, next);
    } else positionals.push(word);
  }
  return { values, positionals };
}

/** `-a`, `-ab`, `-rPATH`: flags, the last of which may take the rest of the word or the next word. */
function readShorts(
  word: string,
  longOf: (short: string) => string,
  typeOf: (long: string) => Option["type"],
  values: Record<string, string | boolean>,
  next: (long: string) => string,
): void {
  for (let at = 1; at < word.length; at++) {
    const long = longOf(word.charAt(at));
    if (typeOf(long) === "boolean") {
      values[long] = true;
      continue;
    }
    values[long] = at + 1 < word.length ? word.slice(at + 1) : next(long);
    return;
  }
}
