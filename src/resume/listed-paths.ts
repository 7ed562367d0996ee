import type { Position } from "../base/source-text.ts";
import { positionAt, type Span, sourceText } from "../base/source-text.ts";
import { readFrontMatterMap } from "./front-matter-map.ts";
import { classifyPath } from "./manifest-paths.ts";

/** A path of `files_to_load` that stays inside its project. */
export interface ListedPath {
  /** As the manifest writes it. */
  readonly listed: string;
  readonly start: Position;
  readonly end: Position;
}

/** The paths that a manifest lists, with their places; none where it does not parse. Those that are refused are no files of the project. */
export function listedPaths(text: string): readonly ListedPath[] {
  const read = readFrontMatterMap(text);
  const value = read.ok ? read.value.entries.get("files_to_load")?.value : undefined;
  if (value?.kind !== "list") return [];
  const source = sourceText(text);
  const at = ({ start, end }: Span) => ({ start: positionAt(source, start), end: positionAt(source, end) });
  return value.items.flatMap((item) => {
    const named = item.kind === "scalar" && item.value !== null && classifyPath(item.source).kind === "relative";
    return named ? [{ listed: item.source, ...at(item.span) }] : [];
  });
}
