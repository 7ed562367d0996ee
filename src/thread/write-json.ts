import { reasonOf, type Shape, shapeOf, unserialisable } from "./json-shape.ts";

/**
 * JSON text of any value, where `JSON.stringify` would throw or lose something. A loop with its own stack, so that
 * depth is bounded by memory alone; a value inside itself is `"[unserialisable: cycle]"`. Past `most` values or characters
 * every open list and object ends with a counted mark: shared references can unfold to more than any memory holds.
 */
export function writeJson(root: unknown, most = MOST): string {
  const top = shapeOf(root, "");
  if (top === null) return "null";
  if (top.kind === "leaf") return top.json;
  const frames: Frame[] = [{ shape: top, next: 0, separator: "" }];
  const ancestors = new Set<object>([top.source]);
  let text = top.kind === "list" ? "[" : "{";
  let values = 0;
  for (let frame = frames.at(-1); frame !== undefined; frame = frames.at(-1)) {
    const { shape } = frame;
    const size = shape.kind === "list" ? shape.items.length : shape.keys.length;
    const full = values >= most.values || text.length >= most.characters;
    if (frame.next >= size || full) {
      if (frame.next < size) text += frame.separator + leftOut(shape, size - frame.next);
      text += shape.kind === "list" ? "]" : "}";
      ancestors.delete(shape.source);
      frames.pop();
      continue;
    }
    const index = frame.next++;
    values++;
    const key = shape.kind === "list" ? null : (shape.keys[index] ?? "");
    const child = readChild(shape, index, key);
    if (child === null && key !== null) continue;
    text += frame.separator;
    frame.separator = ",";
    if (key !== null) text += `${JSON.stringify(key)}:`;
    if (child === null) text += "null";
    else if (child.kind === "leaf") text += child.json;
    else if (ancestors.has(child.source)) text += '"[unserialisable: cycle]"';
    else {
      ancestors.add(child.source);
      frames.push({ shape: child, next: 0, separator: "" });
      text += child.kind === "list" ? "[" : "{";
    }
  }
  return text;
}

type Compound = Exclude<Shape, { kind: "leaf" }>;
type Frame = { readonly shape: Compound; next: number; separator: "" | "," };

/** Characters: a quarter of the longest string V8 makes (2^29 - 24), since escaping may still multiply it. */
const MOST = { values: 2_000_000, characters: 2 ** 27 };

function leftOut(shape: Compound, count: number): string {
  const mark = JSON.stringify(`[… ${count} more left out …]`);
  return shape.kind === "list" ? mark : `"…":${mark}`;
}

function readChild(shape: Compound, index: number, key: string | null): Shape | null {
  if (shape.kind === "list") return shapeOf(shape.items[index], String(index));
  try {
    return shapeOf(Reflect.get(shape.fields, key ?? ""), key ?? "");
  } catch (error) {
    return unserialisable(`reading it threw ${reasonOf(error)}`);
  }
}
