import fc from "fast-check";

/** Settings as people and programs write them: comments, other hooks, any blanks, CRLF, tabs, a BOM. */
export interface Layout {
  readonly newline: string;
  readonly indent: string;
  readonly oneLine: boolean;
  readonly padding: string;
  readonly trailingComma: boolean;
  readonly comments: readonly boolean[];
  readonly bom: boolean;
  readonly end: string;
}

const layout: fc.Arbitrary<Layout> = fc.record({
  newline: fc.constantFrom("\n", "\r\n"),
  indent: fc.constantFrom("  ", "\t", "    ", " ", ""),
  oneLine: fc.boolean(),
  padding: fc.constantFrom("", " "),
  trailingComma: fc.boolean(),
  comments: fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }),
  bom: fc.boolean(),
  end: fc.constantFrom("", "\n", "\n\n", " \n"),
});

const word = fc.constantFrom("a", "é", 'q"uote', "model", "permissions", "$schema", "__proto__", "// no comment");
const leaf = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null));
const foreignHook = fc.record({
  type: fc.constant("command"),
  command: fc.constantFrom("./lint.sh", "echo 'session-start'", "npx other pre-compact", 'say "context pre-compact"'),
});
const group = fc.oneof(
  fc.record({ hooks: fc.array(foreignHook, { maxLength: 2 }) }),
  fc.record({
    matcher: fc.constantFrom("Bash", "", "compact", "Read"),
    hooks: fc.array(foreignHook, { maxLength: 2 }),
  }),
);
const hooks = fc.dictionary(
  fc.constantFrom("PreCompact", "SessionStart", "Stop", "PreToolUse"),
  fc.array(group, { maxLength: 2 }),
);
const value = fc
  .tuple(
    fc.dictionary(word, fc.oneof(leaf, fc.array(leaf, { maxLength: 2 }), fc.dictionary(word, leaf))),
    fc.option(hooks),
  )
  .map(([rest, events]) => (events === null ? rest : { ...rest, hooks: events }));

/** A settings file's text and whether plain JSON would read it. */
export const settingsText: fc.Arbitrary<{ readonly text: string; readonly plain: boolean }> = fc
  .tuple(value, layout)
  .map(([settings, style]) => {
    const printed = printValue(settings, style, 0, { next: 0 });
    const extended = style.trailingComma || (style.comments.includes(true) && !style.oneLine);
    return { text: `${style.bom ? "\uFEFF" : ""}${printed}${style.end}`, plain: !extended };
  });

function printValue(value: unknown, style: Layout, depth: number, seen: { next: number }): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  const parts = Array.isArray(value)
    ? value.map((item: unknown) => printValue(item, style, depth + 1, seen))
    : Object.entries(value).map(
        ([key, item]) => `${JSON.stringify(key)}:${style.padding}${printValue(item, style, depth + 1, seen)}`,
      );
  if (parts.length === 0) return `${open}${style.padding}${close}`;
  const comma = style.trailingComma ? "," : "";
  if (style.oneLine) return `${open}${style.padding}${parts.join(`,${style.padding}`)}${comma}${style.padding}${close}`;
  const line = style.newline + style.indent.repeat(depth + 1);
  const lines = parts.map((part, index) => {
    seen.next += 1;
    const separator = index === parts.length - 1 ? comma : ",";
    const beside = style.comments[seen.next % 5] ? [" // note", " /* note */", " // a, b } \t"][seen.next % 3] : "";
    const above = style.comments[(seen.next + 2) % 5] ? `${line}// above ` : "";
    return `${above}${line}${part}${separator}${beside}`;
  });
  return `${open}${lines.join("")}${style.newline}${style.indent.repeat(depth)}${close}`;
}
