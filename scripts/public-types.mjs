// Leaves of the emitted types what an entry gives out and what that mentions: a module's other exports are nobody's business.
//
// Reads what tsc writes, where every statement of a module begins at the start of a line and what belongs to it is indented or
// begins with a bracket. A type counts as mentioned wherever its name stands as a word outside of comments, a value behind
// `typeof`: at worst one stays too many.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";

const START = /^(?:export|import|declare|interface|type|const|class|function|abstract)\b/;
const DECLARED =
  /^(?:export )?(?:default )?(?:declare )?(?:abstract )?(?:interface|type|const|let|var|class|function|enum|namespace) ([\w$]+)/;

/**
 * Rewrites these files, of which `entries` are the ones that others import: a folder's modules become its one `index.d.ts`,
 * or stand in the entry of its name, since a sixth of the types is what modules of a folder import of each other.
 */
export function keepPublicTypes(entries, files) {
  const modules = new Map(files.map((path) => [path, readModule(path)]));
  const wanted = new Map(files.map((path) => [path, new Set()]));
  const want = (path, name) => {
    const module = modules.get(path);
    const names = wanted.get(path);
    if (module === undefined || names === undefined || names.has(name)) return;
    names.add(name);
    const passed = module.passed.get(name);
    if (passed !== undefined) want(passed.path, passed.name);
    for (const path of module.everything) want(path, name);
    for (const text of module.declared.get(name) ?? []) mention(path, text);
  };
  const mention = (path, text) => {
    const module = modules.get(path);
    const bare = text.replace(/\/\*[\s\S]*?\*\//g, "");
    for (const [, from, name] of bare.matchAll(/import\("(\.[^"]+)"\)\.([\w$]+)/g)) want(typesOf(path, from), name);
    for (const [word] of bare.matchAll(/[\w$]+/g)) {
      const imported = module.imported.get(word);
      if (imported !== undefined) {
        wanted.get(path).add(word);
        want(imported.path, imported.name);
      } else if (module.declared.has(word) && (!isValue(module, word) || bare.includes(`typeof ${word}`)))
        want(path, word);
    }
  };
  for (const entry of entries) for (const name of exportsOf(modules, entry)) want(entry, name);
  const root = dirname(entries.find((path) => !path.endsWith("index.d.ts")));
  const targetOf = (path) => {
    if (dirname(path) === root) return path;
    const [folder] = relative(root, path).split(sep);
    const entry = join(root, `${folder}.d.ts`);
    return files.includes(entry) ? entry : join(root, folder, "index.d.ts");
  };
  for (const path of files) rmSync(path);
  for (const target of new Set(files.map(targetOf))) {
    const text = mergedText(target, { root, targetOf, entries, modules, wanted });
    if (text !== "") writeFileSync(target, compact(text));
  }
}

/** The modules of one folder as one: what others import of it is exported, and names must not mean two things. */
function mergedText(target, { root, targetOf, entries, modules, wanted }) {
  const members = [...modules.keys()].filter((path) => targetOf(path) === target);
  const given = new Set();
  for (const [path, { imported, passed }] of modules)
    for (const [as, { path: from, name }] of [...imported, ...passed])
      if (members.includes(from) && wanted.get(path).has(as) && (targetOf(path) !== target || entries.includes(path)))
        given.add(name);
  const meaning = new Map();
  const mean = (name, what) => {
    if ((meaning.get(name) ?? what) !== what) throw new Error(`${target} would give ${name} two meanings.`);
    meaning.set(name, what);
  };
  const lists = new Map();
  const whole = new Set();
  let declared = "";
  for (const path of members) {
    const names = wanted.get(path);
    if (names.size === 0) continue;
    for (const { text, code, list, name, from } of modules.get(path).statements) {
      if (name !== undefined && names.has(name)) {
        mean(name, path);
        declared +=
          given.has(name) || dirname(path) === root ? text : text.replace(code, () => code.replace(/^export /, ""));
      }
      if (name !== undefined || /^export \{\};/.test(code)) continue;
      const other = from?.startsWith(".") ? targetOf(typesOf(path, from)) : from;
      if (other === target) continue;
      const specifier = from?.startsWith(".") ? relativeTo(target, other) : from;
      if (list === undefined) whole.add(text.replace(from, specifier));
      const kind = `${code.startsWith("export") ? "export" : "import"} "${specifier}"`;
      for (const item of list === undefined ? [] : namesIn(list).filter(({ as }) => names.has(as))) {
        if (code.startsWith("import")) mean(item.as, `${specifier} ${item.name}`);
        const words = item.name === item.as ? item.name : `${item.name} as ${item.as}`;
        lists.set(kind, (lists.get(kind) ?? new Set()).add(words));
      }
    }
  }
  if (declared === "" && lists.size === 0 && whole.size === 0) return "";
  const lines = [...lists].map(([kind, words]) => `${kind.replace(" ", ` { ${[...words].join(", ")} } from `)};\n`);
  // Without it a file of declarations exports all of them.
  return (
    [...whole].sort().join("") +
    lines.sort().join("") +
    declared +
    (members.some((path) => dirname(path) !== root) ? "export {};\n" : "")
  );
}

function relativeTo(from, path) {
  const way = relative(dirname(from), path)
    .replaceAll("\\", "/")
    .replace(/\.d\.ts$/, ".ts");
  return way.startsWith(".") ? way : `./${way}`;
}

/** Of four blanks each, a tenth of the types is indentation; of a comment's frame a reader needs no more than its ends. */
function compact(text) {
  return text
    .replace(/^(?: {4})+/gm, (blanks) => "\t".repeat(blanks.length / 4))
    .replace(/\/\*\*\n([\s\S]*?)\n\s*\*\//g, (_, lines) => `/** ${lines.replace(/^\s*\* ?/gm, "")} */`);
}

function readModule(path) {
  const module = { statements: [], declared: new Map(), imported: new Map(), passed: new Map(), everything: [] };
  for (const text of statementsOf(readFileSync(path, "utf8"))) {
    const code = text.replace(/^(?:\/\*[\s\S]*?\*\/\s*)+/, "");
    const [, keyword, list, from] = /^(import|export)(?: type)? \{([^}]*)\} from "([^"]+)";/.exec(code) ?? [];
    const all = /^export \* from "([^"]+)";/.exec(code)?.[1];
    const name = DECLARED.exec(code)?.[1];
    if (all !== undefined) module.everything.push(typesOf(path, all));
    else if (list !== undefined)
      for (const { name, as } of namesIn(list))
        module[keyword === "import" ? "imported" : "passed"].set(as, { path: typesOf(path, from), name });
    else if (name !== undefined) module.declared.set(name, [...(module.declared.get(name) ?? []), code]);
    else if (!/^(?:export \{\};|import \* as \w+ from "[^"]+";)/.test(code))
      throw new Error(`${path} holds what is not understood: ${code.slice(0, 80)}`);
    module.statements.push({
      text,
      code,
      list,
      name,
      from: from ?? /^(?:export|import) \*.* from "([^"]+)";/.exec(code)?.[1],
    });
  }
  return module;
}

/** The text's statements, each with the comments above it; a comment within a union begins a line, too. */
function statementsOf(text) {
  const pieces = text.match(/^\/\*[\s\S]*?\*\/\n|.*\n|.+$/gm) ?? [];
  const statements = [];
  let current = "";
  let comments = "";
  for (const piece of pieces) {
    if (piece.startsWith("/*")) comments += piece;
    else if (START.test(piece)) {
      statements.push(current);
      current = comments + piece;
      comments = "";
    } else {
      current += comments + piece;
      comments = "";
    }
  }
  return [...statements, current].filter((statement) => statement !== "");
}

function isValue({ declared }, name) {
  return (declared.get(name) ?? []).every((code) => /^(?:export )?declare (?:const|let|function) /.test(code));
}

function namesIn(list) {
  return list
    .split(",")
    .map((item) => item.trim().replace(/^type /, ""))
    .filter((item) => item !== "")
    .map((item) => {
      const [name, as = name] = item.split(" as ");
      return { name, as };
    });
}

function exportsOf(modules, path) {
  const { declared, passed, everything } = modules.get(path);
  const own = [...declared].filter(([, [code]]) => code.startsWith("export ")).map(([name]) => name);
  return new Set([...own, ...passed.keys(), ...everything.flatMap((other) => [...exportsOf(modules, other)])]);
}

function typesOf(path, from) {
  return from.startsWith(".") ? resolve(dirname(path), from.replace(/\.(?:js|ts)$/, ".d.ts")) : from;
}
