/** A key with the blanks before it, and what follows its colon. */
const KEY = /^( *)([A-Za-z_][A-Za-z0-9_-]{0,127}) *:(?: +|$)/;
/** Controls and what other readers take for a line break or drop. */
const UNUSUAL = /[\u0000-\u001F\u007F-\u00A0\u2028\u2029\uFEFF]/;
const QUOTED = /^(?:"([^"\\]*)"|'([^']*)')(?: +#.*)?$/;
const EMPTY_COLLECTION = /^(?:\[\]|\{\})(?: +#.*)?$/;

interface Level {
  readonly indent: number;
  /** Of the map at this level, dotted, with a dot at its end; empty at the top. */
  readonly prefix: string;
  readonly keys: Set<string>;
}

/**
 * Reads maps in maps of simple scalars: each scalar's text by its dotted path (`learning_tracker.completed.learn_nexus`).
 * Null for all else: lists, text over several lines, escapes, anchors, tags, tabs, a key that stands twice. What it takes,
 * it reads as `yaml` does; an empty value and an empty list have no path.
 */
export function scanNested(raw: string): ReadonlyMap<string, string> | null {
  // A carriage return without a line feed is text in YAML, also at the very end.
  if (/\r(?!\n)/.test(raw)) return null;
  const values = new Map<string, string>();
  const levels: Level[] = [];
  /** The path of the key on the line before, where nothing follows its colon: it may hold a map. */
  let open: string | null = "";
  for (const ended of raw.split("\n")) {
    const whole = ended.endsWith("\r") ? ended.slice(0, -1) : ended;
    if (UNUSUAL.test(whole)) return null;
    const line = whole.trimEnd();
    if (line === "" || line.trimStart().startsWith("#")) continue;
    const match = KEY.exec(line);
    const key = match?.[2];
    if (match === null || key === undefined) return null;
    const level = levelFor(levels, match[1]?.length ?? 0, open);
    if (level === null || level.keys.has(key)) return null;
    level.keys.add(key);
    const path = level.prefix + key;
    const text = line.slice(match[0].length);
    const isEmpty = text === "" || text.startsWith("#");
    open = isEmpty ? `${path}.` : null;
    if (isEmpty || EMPTY_COLLECTION.test(text)) continue;
    const value = scalarText(text);
    if (value === null) return null;
    values.set(path, value);
  }
  return values;
}

/** The level that a line with this indentation belongs to; null where YAML would see an error or a longer text. */
function levelFor(levels: Level[], indent: number, open: string | null): Level | null {
  const deepest = levels.at(-1);
  if (deepest === undefined || indent > deepest.indent) {
    if (open === null) return null;
    const level = { indent, prefix: open, keys: new Set<string>() };
    levels.push(level);
    return level;
  }
  while ((levels.at(-1)?.indent ?? -1) > indent) levels.pop();
  const level = levels.at(-1);
  return level?.indent === indent ? level : null;
}

function scalarText(text: string): string | null {
  const quoted = QUOTED.exec(text);
  if (quoted !== null) return quoted[1] ?? quoted[2] ?? "";
  const comment = text.indexOf(" #");
  const plain = comment === -1 ? text : text.slice(0, comment).trimEnd();
  const isPlain = /^[A-Za-z0-9_]/.test(plain) && !plain.includes(": ") && !plain.endsWith(":");
  return isPlain ? plain : null;
}
