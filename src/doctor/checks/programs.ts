import type { Check } from "../check.ts";
import type { DoctorFacts } from "../facts.ts";
import { type Finding, finding } from "../finding.ts";
import { allHooks, groupBy } from "../hooks-of.ts";

/** The oldest Node that this program runs on; package.json says the same. */
const OLDEST_NODE = 20;

/** What the commands name is there, and of this version. */
export const programs: Check = {
  id: "programs",
  summary: "node and the program that the hooks run are there, and of this version",
  check: (facts) => [...node(facts), ...gone(facts), ...versions(facts), ...native(facts)],
};

function node({ node }: DoctorFacts): readonly Finding[] {
  if (node === null) {
    const message = "There is no node on the PATH, nor where it is kept otherwise: the hooks do nothing.";
    return [
      finding("node-missing", {
        message,
        hint: `Install Node ${OLDEST_NODE} or later, or let CONTEXT_NODE name it.`,
      }),
    ];
  }
  if (isFit(node)) return [];
  const { path, version, says } = node;
  const found =
    version === ""
      ? `${path} says no version${says === "" ? "" : `: ${says.replace(/\.$/, "")}`}`
      : `${path} is ${version}`;
  return [
    finding("node-old", {
      message: `${found}. Expected ${OLDEST_NODE} or later: the hooks do nothing.`,
      hint: `Make Node ${OLDEST_NODE} or later the node on the PATH, or let CONTEXT_NODE name it.`,
    }),
  ];
}

/** Whether the hooks can run with this `node`. */
export function isFit(node: DoctorFacts["node"]): boolean {
  return node !== null && Number(/^v?(\d+)\./.exec(node.version)?.[1] ?? Number.NaN) >= OLDEST_NODE;
}

function gone(facts: DoctorFacts): readonly Finding[] {
  const named = allHooks(facts).filter((entry) => entry.gone.length > 0);
  return groupBy(named, ({ place, gone: paths }) => [place.file, ...paths].join("\n")).map(([entry]) => {
    const fixable = entry.plain && (facts.plan?.some(({ shown }) => shown === entry.place.file) ?? false);
    return finding("program-gone", {
      place: entry.place,
      message: `The command names ${entry.gone.join(" and ")}, and there is nothing.`,
      hint: fixable ? `Run ${facts.init}.` : "Name the program's new place.",
      fixable,
    });
  });
}

function versions({ probes, version }: DoctorFacts): readonly Finding[] {
  const other = probes.flatMap(({ entry, program }) =>
    program === null || program.version === version ? [] : [{ entry, program }],
  );
  return groupBy(other, ({ program }) => `${program.version} ${program.path}`).map(([{ entry, program }]) =>
    finding("other-version", {
      place: entry.place,
      message: `The hooks run version ${program.version} (${program.path}), and this is version ${version}.`,
      hint: "Update the one that is older.",
    }),
  );
}

function native({ native }: DoctorFacts): readonly Finding[] {
  if (native === null || native.problem === null) return [];
  return [
    finding("native-unused", {
      message: `${native.path} ${native.problem}: Node runs what it would.`,
      hint: "Run npm run build:native where it lies, or remove it.",
    }),
  ];
}
