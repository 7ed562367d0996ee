/** Rows as aligned columns, two blanks apart, without blanks at the line's end. Widths count code points. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 0, width(cell));
    });
  }
  return rows
    .map((row) => row.map((cell, column) => cell + " ".repeat((widths[column] ?? 0) - width(cell))).join("  "))
    .map((line) => `${line.trimEnd()}\n`)
    .join("");
}

function width(text: string): number {
  // Most cells of a large table are plain.
  return /^[ -~]*$/.test(text) ? text.length : [...text].length;
}
