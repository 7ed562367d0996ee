import { type Attributes, type Child, h, type Markup } from "./html.ts";

export interface Column {
  readonly label: string;
  /** Right-aligned, in digits of one width. */
  readonly number?: true;
}

export interface Row {
  /** What filters look at. */
  readonly role?: string;
  readonly day?: string;
  /** How many things the row stands for, where that is not one. */
  readonly count?: number;
  /** The first one is the row's heading. */
  readonly cells: readonly Child[];
}

/** A table with a caption, headings of columns and rows, in a region that scrolls by keyboard where it is too wide. */
export function dataTable(id: string, caption: string, columns: readonly Column[], rows: readonly Row[]): Markup {
  return h(
    "div",
    { class: "scroll", role: "region", tabindex: 0, "aria-labelledby": `${id}-caption` },
    h(
      "table",
      { id },
      h("caption", { id: `${id}-caption` }, caption),
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          columns.map((column) => h("th", { scope: "col", ...numeric(column) }, column.label)),
        ),
      ),
      h(
        "tbody",
        {},
        rows.map((row) => tableRow(row, columns)),
      ),
    ),
  );
}

function tableRow({ role, day, count, cells }: Row, columns: readonly Column[]): Markup {
  return h(
    "tr",
    { "data-role": role ?? null, "data-day": day ?? null, "data-count": count ?? null },
    cells.map((cell, index) => {
      const attributes = numeric(columns[index] ?? { label: "" });
      return index === 0 ? h("th", { scope: "row", ...attributes }, cell) : h("td", attributes, cell);
    }),
  );
}

function numeric(column: Column): Attributes {
  return column.number === true ? { class: "number" } : {};
}

/** What nobody wrote down: said, never guessed. */
export function unknown(): Markup {
  return h("span", { class: "unknown" }, "unknown");
}
