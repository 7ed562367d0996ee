import { estimateTokens } from "../base/token-estimate.ts";
import { documentMode } from "./document.ts";
import type { Estimate, SessionFacts, SessionStartFacts, StartupFacts } from "./facts.ts";
import { loopDocument } from "./loop-document.ts";
import type { Loss } from "./omitted.ts";
import { only, startSets } from "./parts.ts";

/**
 * What is known of a start. Only how it began and what was decided is needed: what is left out is not there, and of the
 * settings the default holds. Budgets begin at 500 tokens, `delivery` at 1000 UTF-16 units and one part: with less a document
 * is as short as it can be, and may be longer than that.
 */
export interface StartFacts extends Known<Omit<SessionStartFacts, "session" | "decision" | "startup">> {
  /** `source` is the client's word for why the session starts: `startup`, `resume`, `clear`, `compact`, `fork`. */
  readonly session: Pick<SessionFacts, "source"> & Known<SessionFacts>;
  /** Of `detectMode`. In mode `compact` the document brings `project` back; without one it is a startup document. */
  readonly decision: SessionStartFacts["decision"];
  /** What the startup document shows. */
  readonly startup?: Known<StartupFacts> | undefined;
}

/** As far as it is known. */
type Known<T> = { readonly [K in keyof T]?: T[K] | undefined };

/** What holds of settings where the facts do not say. */
export type StartDefaults = Pick<SessionStartFacts, "tone" | "budgets" | "delivery"> &
  Pick<StartupFacts, "skillLocations">;

/** XML for an agent to read first. */
export interface StartDocuments {
  readonly mode: "startup" | "compact";
  /** The whole document; only the token budget limits it. */
  readonly whole: string;
  /**
   * What to deliver: one document at least, `delivery.parts` at most, of at most `delivery.cap` UTF-16 units each. Every one
   * stands alone. In a loop of compactions it is one short document that says so.
   */
  readonly parts: readonly string[];
  /** Estimated, of all parts together. */
  readonly tokens: number;
  /** What did not find room in the parts; what was left out is named in the first of them, too. */
  readonly losses: readonly Loss[];
}

/** The documents of a start. The same facts give the same bytes; texts of any kind may stand in them, and are escaped. */
export function documentsFrom(
  given: StartFacts,
  defaults: StartDefaults,
  estimate: Estimate = estimateTokens,
): StartDocuments {
  const facts = completed(given, defaults);
  const { whole, delivered } = startSets(facts, estimate, facts.delivery.parts === 1 ? "single" : "parts");
  const parts = facts.loop === null ? delivered.documents : [loopDocument(facts, facts.loop)];
  return {
    mode: documentMode(facts),
    whole: only(whole),
    parts,
    tokens: parts.reduce((sum, document) => sum + estimate(document), 0),
    losses: delivered.losses,
  };
}

function completed(given: StartFacts, defaults: StartDefaults): SessionStartFacts {
  const { session, startup = {} } = given;
  return {
    session: { id: session.id ?? null, source: session.source, timestamp: session.timestamp ?? null },
    decision: given.decision,
    program: given.program ?? "context",
    role: given.role ?? null,
    startup: {
      orchestrator: startup.orchestrator ?? null,
      goals: startup.goals ?? null,
      projects: startup.projects ?? [],
      skills: startup.skills ?? [],
      skillLocations: startup.skillLocations ?? defaults.skillLocations,
      state: startup.state ?? null,
      routing: startup.routing ?? false,
    },
    project: given.project ?? null,
    resumption: given.resumption ?? null,
    systemFiles: given.systemFiles ?? [],
    workTrail: given.workTrail ?? null,
    tone: given.tone ?? defaults.tone,
    budgets: given.budgets ?? defaults.budgets,
    delivery: given.delivery ?? defaults.delivery,
    documentPath: given.documentPath ?? null,
    loop: given.loop ?? null,
  };
}
