import { parseProcess } from "../../platform/process-identity.ts";
import type { RoleProof } from "../role-proof.ts";
import type { ContextFacts, RoleStatus } from "./role-status.ts";
import { stuckText, wayOut } from "./status-text.ts";

/** A role's status for a program; `lifecycle/status-schema.ts` is its shape. */
export function statusData(status: RoleStatus): Record<string, unknown> {
  const { role, record, context, stuck, unsavedWork } = status;
  return {
    role,
    state: record?.state ?? null,
    since: record?.since ?? null,
    previous: record?.previous ?? null,
    event: record?.event ?? null,
    revision: record?.revision ?? null,
    stuck: stuck !== null,
    stuck_reason: stuck,
    stuck_because: record === null || stuck === null ? null : stuckText(record, stuck),
    way_out: stuck === null ? null : wayOut(role),
    compactions: record?.compactions ?? null,
    unsaved: record?.unsaved ?? null,
    session_id: record?.sessionId ?? null,
    owned_since: record?.ownedSince ?? null,
    owner: ownerData(status),
    saved_at: record?.savedAt ?? null,
    recovered_at: record?.recoveredAt ?? null,
    problem: status.problem?.message ?? null,
    ...(status.proof === null ? {} : { recovery: proofData(status.proof) }),
    ...(unsavedWork === null
      ? {}
      : { unsaved_work: { files: unsavedWork.files, complete: unsavedWork.complete, why: unsavedWork.why } }),
    ...(context === null ? {} : { context: contextData(context) }),
  };
}

function contextData(context: ContextFacts): Record<string, unknown> {
  return {
    path: context.path,
    health: context.health,
    errors: context.errors,
    warnings: context.warnings,
    changed_since_save: context.changedSinceSave,
    updated: context.updated,
    pane: context.pane,
  };
}

function ownerData({ record, owner }: RoleStatus): Record<string, unknown> | null {
  if (record === null || record.sessionId === null) return null;
  const process = record.ownerProcess === null ? null : parseProcess(record.ownerProcess);
  return {
    session_id: record.sessionId,
    since: record.ownedSince,
    alive: owner === "unknown" ? null : owner === "running",
    pid: process?.pid ?? null,
    host: process?.host ?? null,
    pane: record.ownerPane?.split("@")[0] ?? null,
  };
}

function proofData(proof: RoleProof): Record<string, unknown> {
  const { verdict, files, missing, compactedAt, sessionId } = proof;
  return {
    verdict,
    required: files.length,
    missing: missing.map(({ path }) => path),
    session_id: sessionId,
    compacted_at: compactedAt,
  };
}
