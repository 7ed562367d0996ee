import { parse } from "acorn";

/**
 * A bundle that asks Node for each of its modules once: esbuild writes one `require` for each source that imports it, of which a
 * hook has forty, and each takes Node two microseconds. Only those at the top of the file are held together: what stands in a
 * function may never run.
 */
export function requireOnce(text) {
  const names = new Map();
  const later = [];
  const tops = parse(text, { ecmaVersion: "latest", sourceType: "script", allowReturnOutsideFunction: true }).body;
  for (const { id, init } of tops.flatMap(({ type, declarations }) =>
    type === "VariableDeclaration" ? declarations : [],
  )) {
    const module = moduleOf(init);
    if (module === null || id.type !== "Identifier") continue;
    if (names.has(module)) later.push({ ...init, name: names.get(module) });
    else names.set(module, id.name);
  }
  let [from, once] = [0, ""];
  for (const { start, end, name } of later) {
    once += text.slice(from, start) + name;
    from = end;
  }
  return once + text.slice(from);
}

/** The module of Node's that an expression is the `require` of, and no more; else null. */
function moduleOf(init) {
  if (init?.type !== "CallExpression" || init.callee.name !== "require") return null;
  const [{ value }] = init.arguments;
  return typeof value === "string" && value.startsWith("node:") ? value : null;
}
