import { isRecord } from "../thread/outcome.ts";
import { serializeValue } from "../thread/serialize-value.ts";

/** Thrown by a tool, it ends the run as failed; any other error of a tool is told to the model, which goes on. */
export class UnrecoverableError extends Error {
  override readonly name = "UnrecoverableError";
}

/** Where an error came from. */
export type ErrorSource = "model" | "tool";

/**
 * Whether a run goes on after an error, unless the agent's options say otherwise: after a tool's always, but for an
 * `UnrecoverableError`; after a model's unless its HTTP status says that the same request fails again.
 */
export function isRecoverableByDefault(error: unknown, source: ErrorSource): boolean {
  if (error instanceof UnrecoverableError) return false;
  const status = source === "model" ? statusOf(error) : null;
  return status === null || status < 400 || status >= 500 || PASSING_STATUSES.has(status);
}

/** Request timeout, conflict, too early, too many requests. */
const PASSING_STATUSES: ReadonlySet<number> = new Set([408, 409, 425, 429]);

/** The text of whatever was thrown. */
export function textOfThrown(error: unknown): string {
  if (!(error instanceof Error)) return serializeValue(error);
  return error.message === "" ? error.name : error.message;
}

function statusOf(error: unknown): number | null {
  if (!isRecord(error)) return null;
  const inner = isRecord(error.response) ? error.response.status : undefined;
  return [error.status, error.statusCode, inner].find((status) => typeof status === "number") ?? null;
}
