import type { FindingCode } from "../catalogue.ts";
import type { Check } from "../check.ts";
import type { DoctorFacts, StoreFacts } from "../facts.ts";
import { type Finding, fileOnly, finding } from "../finding.ts";

/** The roles' machines are where `CONTEXT_STORE` says, and nobody else's are there. */
export const store: Check = {
  id: "store",
  summary: "the machines' store can be used, where one is named",
  nothing: ({ store: { named } }) => (named ? null : "none is named: the machines are files"),
  check: (facts) => [...access(facts), ...notes(facts), ...others(facts), ...losses(facts)],
};

const TROUBLES = {
  address: "store-address",
  unnamed: "store-unnamed",
  library: "store-library-missing",
  certificate: "store-certificate",
  refused: "store-refused",
  unreachable: "store-unreachable",
} as const satisfies Record<NonNullable<StoreFacts["trouble"]>["kind"], FindingCode>;

function access({ store: { trouble } }: DoctorFacts): readonly Finding[] {
  if (trouble === null) return [];
  const { kind, message, hint } = trouble;
  return [finding(TROUBLES[kind], { message: `${message} The roles are not looked at.`, hint })];
}

function notes({ store: { named, trouble, waiting }, invokedAs }: DoctorFacts): readonly Finding[] {
  const [first] = waiting;
  if (first === undefined) return [];
  const message = `${waiting.length === 1 ? "A step" : `${waiting.length} steps`} that a hook noted for the store ${waiting.length === 1 ? "waits" : "wait"} to be told.`;
  const hint = !named
    ? "Set CONTEXT_STORE as it was for the hook; or delete them, if the machines are in files again."
    : trouble === null
      ? `Run ${invokedAs} lifecycle.status: it says what they wait for.`
      : "They are told when the store is there.";
  return [finding("store-notes-wait", { place: fileOnly(first), message, hint })];
}

function others({ store: { shown, foreign } }: DoctorFacts): readonly Finding[] {
  const [first] = foreign;
  if (first === undefined) return [];
  const roles = foreign.map(({ role }) => role).join(", ");
  const message = `No role there was saved at a commit of this repository: ${roles}, at ${first.commit.slice(0, 12)}. Another project may have the same name in the store.`;
  const hint = "Give each project a name of its own: store.prefix in context.yaml; or fetch the commits.";
  return [finding("store-other-project", { place: fileOnly(shown), message, hint })];
}

function losses({ store: { shown, evicts, forgets } }: DoctorFacts): readonly Finding[] {
  const place = fileOnly(shown);
  const full = `It deletes machines when its memory is full (maxmemory-policy ${evicts}).`;
  const restart = "It writes nothing to its disk: a restart of the server loses every machine.";
  return [
    ...(evicts === null
      ? []
      : [finding("store-forgets", { place, message: full, hint: "Set maxmemory-policy noeviction on the server." })]),
    ...(forgets
      ? [finding("store-forgets", { place, message: restart, hint: "Set appendonly yes on the server." })]
      : []),
  ];
}
