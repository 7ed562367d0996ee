import { type AnyNode, parse } from "acorn";

/** The array that instrumented code counts in; whoever loads the code defines it. */
export const HITS = "contextFuzzHits";

/** Longer ones are sentences for people, which no input is read for. */
const LONGEST_WORD = 40;

export interface Instrumented {
  readonly code: string;
  /** Where in the given code each block begins, in order: its number is `first` and what comes after. */
  readonly blocks: readonly number[];
  /** What the code compares with: its literals, the plain parts of its patterns, the keys of its objects. */
  readonly words: readonly string[];
}

/** Where code is counted: a statement or an expression as a whole, a point between two, or where an `if` has no `else`. */
type Place =
  | { readonly kind: "statement" | "expression"; readonly node: AnyNode }
  | { readonly kind: "point" | "else"; readonly at: number };

/**
 * JavaScript that does as the given, and counts each block it enters: of a function, a branch, a loop, a case, the right
 * side of `&&`, `||` and `??`. An `if` without an `else` gets one, so that not going in is seen too.
 */
export function instrument(code: string, first: number): Instrumented {
  const blocks: number[] = [];
  const words = new Set<string>();
  const openers = new Map<number, string>();
  const closers = new Map<number, string>();
  const open = (at: number, text: string): void => {
    openers.set(at, (openers.get(at) ?? "") + text);
  };
  // What is opened last is closed first.
  const close = (at: number, text: string): void => {
    closers.set(at, text + (closers.get(at) ?? ""));
  };
  const count = (at: number): string => `${HITS}[${first + blocks.push(at) - 1}]++`;
  const put = (place: Place): void => {
    switch (place.kind) {
      case "point":
        open(place.at, ` ${count(place.at)};`);
        break;
      case "else":
        close(place.at, ` else {${count(place.at)};}`);
        break;
      case "statement":
      case "expression": {
        const { start, end, type } = place.node;
        const isStatement = place.kind === "statement";
        if (type === "BlockStatement") {
          open(start + 1, `${count(start)};`);
        } else {
          open(start, isStatement ? `{${count(start)};` : `(${count(start)}, `);
          close(end, isStatement ? "}" : ")");
        }
        break;
      }
      default:
        place satisfies never;
    }
  };
  const walk = (node: AnyNode): void => {
    // A path of an import is no word, and its quotes must stay what they are.
    if (node.type === "ImportDeclaration") return;
    for (const place of placesIn(node)) put(place);
    for (const word of wordsIn(node)) words.add(word);
    for (const value of Object.values(node)) {
      for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) walk(child);
    }
  };
  walk(parse(code, { ecmaVersion: 2023, sourceType: "module" }));

  let written = "";
  let from = 0;
  for (const at of [...new Set([...openers.keys(), ...closers.keys()])].sort((a, b) => a - b)) {
    written += code.slice(from, at) + (closers.get(at) ?? "") + (openers.get(at) ?? "");
    from = at;
  }
  const kept = [...words].filter((word) => word !== "" && word.length <= LONGEST_WORD).sort();
  return { code: written + code.slice(from), blocks, words: kept };
}

/** What belongs to the node itself, the outermost first. */
function placesIn(node: AnyNode): readonly Place[] {
  switch (node.type) {
    case "FunctionDeclaration":
    case "FunctionExpression":
    case "ArrowFunctionExpression":
      return [{ kind: "expression", node: node.body }];
    case "IfStatement": {
      const { alternate, consequent, end } = node;
      const otherwise: Place = alternate ? { kind: "statement", node: alternate } : { kind: "else", at: end };
      return [otherwise, { kind: "statement", node: consequent }];
    }
    case "ForStatement":
    case "ForInStatement":
    case "ForOfStatement":
    case "WhileStatement":
    case "DoWhileStatement":
    case "CatchClause":
      return [{ kind: "statement", node: node.body }];
    case "SwitchCase":
      return [{ kind: "point", at: node.consequent[0]?.start ?? node.end }];
    case "ConditionalExpression":
      return [
        { kind: "expression", node: node.consequent },
        { kind: "expression", node: node.alternate },
      ];
    case "LogicalExpression":
    case "AssignmentPattern":
      return [{ kind: "expression", node: node.right }];
    case "AssignmentExpression":
      return ["??=", "||=", "&&="].includes(node.operator) ? [{ kind: "expression", node: node.right }] : [];
    default:
      return [];
  }
}

function wordsIn(node: AnyNode): readonly string[] {
  switch (node.type) {
    case "Property":
      return !node.computed && node.key.type === "Identifier" ? [node.key.name] : [];
    case "Literal":
      if (typeof node.value === "string") return [node.value];
      return node.regex ? plainParts(node.regex.pattern) : [];
    case "TemplateElement":
      return [node.value.cooked ?? ""];
    default:
      return [];
  }
}

/** Of a pattern: escaped letters, sets, repetitions, what opens a group. */
const NOT_PLAIN = /\\[a-zA-Z](?:\{[^}]*\})?|\[(?:[^\]\\]|\\.)*\]|\{[0-9,]*\}|\(\?(?:<?[=!]|:|<[^>]*>)/g;

/** What of a pattern an input can hold as it stands. */
function plainParts(pattern: string): readonly string[] {
  return pattern.replaceAll(NOT_PLAIN, "\n").split(/[\n\\^$.*+?()|]+/);
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}
