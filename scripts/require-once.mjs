import { parse } from "acorn";

/**
 * A bundle that asks Node for each of its modules once: esbuild writes one `require` for each source that imports it, of which a
 * hook has forty, and each takes Node two microseconds. Only those at the top of the file are held together: what stands in a
 * function may never run. What is called of such a module is called plainly, `fs.f()` for `(0,fs.f)()`: esbuild keeps the module
 * from being its `this`, which no function of Node's modules looks at.
 */
export function requireOnce(text) {
  const [names, modules, edits] = [new Map(), new Set(), []];
  const tops = parse(text, { ecmaVersion: "latest", sourceType: "script", allowReturnOutsideFunction: true }).body;
  for (const { id, init } of tops.flatMap(({ type, declarations }) =>
    type === "VariableDeclaration" ? declarations : [],
  )) {
    const module = moduleOf(init);
    if (module === null || id.type !== "Identifier") continue;
    modules.add(id.name);
    if (names.has(module)) edits.push({ ...init, by: names.get(module) });
    else names.set(module, id.name);
  }
  for (const { start, end, expressions } of calledAside(tops)) {
    const [first, { object, property, computed }] = expressions;
    if (first.value !== 0 || computed || !modules.has(object?.name)) continue;
    // After a word such as `return` it is a word of its own.
    const gap = /\w/.test(text[start - 2]) ? " " : "";
    edits.push({ start: start - 1, end: end + 1, by: `${gap}${object.name}.${property.name}` });
  }
  let [from, once] = [0, ""];
  for (const { start, end, by } of edits.sort((a, b) => a.start - b.start)) {
    once += text.slice(from, start) + by;
    from = end;
  }
  return once + text.slice(from);
}

/** Every `0,x` that is called, below these nodes. */
function calledAside(value) {
  if (typeof value !== "object" || value === null) return [];
  const below = Object.values(value).flatMap(calledAside);
  const { type, callee } = value;
  return type === "CallExpression" && callee.type === "SequenceExpression" ? [callee, ...below] : below;
}

/** The module of Node's that an expression is the `require` of, and no more; else null. */
function moduleOf(init) {
  if (init?.type !== "CallExpression" || init.callee.name !== "require") return null;
  const [{ value }] = init.arguments;
  return typeof value === "string" && value.startsWith("node:") ? value : null;
}
