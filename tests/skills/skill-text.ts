/** A `SKILL.md` of these front matter lines. */
export function skillText(...lines: readonly string[]): string {
  return ["---", ...lines, "---", "", "# A skill", ""].join("\n");
}
