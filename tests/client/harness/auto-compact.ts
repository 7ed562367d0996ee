import type { Turn } from "./model-answer.ts";

/** The newest client compacts as if its model had so small a window; the older one's window is twice that. */
export const AUTO_COMPACT: Readonly<Record<string, string>> = { CLAUDE_CODE_AUTO_COMPACT_WINDOW: "100000" };

/** A turn after which either client compacts by itself. */
export const FULL: Pick<Turn, "inputTokens"> = { inputTokens: 199_000 };
