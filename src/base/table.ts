/** Rows as aligned columns, two blanks apart, without blanks at the line's end. Widths count code points. */
export function table(rows: readonly (readonly string[])[]): string {
  const widest: number[] = [];
  const widths: number[] = [];
  for (const row of rows) {
    for (let column = 0; column < row.length; column++) {
      const own = width(row[column] ?? "");
      widths.push(own);
      if (own > (widest[column] ?? 0)) widest[column] = own;
    }
  }
  let text = "";
  let cell = 0;
  for (const row of rows) {
    let line = "";
    let blanks = 0;
    for (let column = 0; column < row.length; column++) {
      line += " ".repeat(blanks) + (row[column] ?? "");
      blanks = (widest[column] ?? 0) - (widths[cell] ?? 0) + 2;
      cell += 1;
    }
    text += `${line.trimEnd()}\n`;
  }
  return text;
}

function width(text: string): number {
  // Most cells of a large table are plain.
  return /[^ -~]/.test(text) ? [...text].length : text.length;
}
