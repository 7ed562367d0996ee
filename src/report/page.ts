import { compactionTable, durationTable, saveTable } from "./event-tables.ts";
import { fleetTable } from "./fleet.ts";
import { durationText, timeText } from "./format.ts";
import { type Child, embeddedJson, foreign, h, type Markup, verbatim } from "./html.ts";
import type { Model } from "./model.ts";
import { pageData } from "./page-data.ts";
import { PAGE_SCRIPT } from "./page-script.ts";
import { PAGE_STYLE } from "./page-style.ts";
import { legend, timelines } from "./timelines.ts";

/** By this a page of ours is told from another file, in its first lines. */
export const GENERATOR = '<meta name="generator" content="agent-context report">';

export interface PageOptions {
  /** SHA-256 of a text, in Base64: the page runs the one script that has it, and no other. */
  readonly hash: (text: string) => string;
  /** How this program is started, for what to do next. */
  readonly invokedAs: string;
}

/** The report as one page that needs nothing else: no network, no file beside it. */
export function renderPage(model: Model, options: PageOptions): string {
  const policy = `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${options.hash(PAGE_SCRIPT)}'; base-uri 'none'; form-action 'none'`;
  const page = h(
    "html",
    { lang: "en" },
    "\n",
    h(
      "head",
      {},
      "\n",
      h("meta", { charset: "utf-8" }),
      "\n",
      verbatim(GENERATOR),
      "\n",
      h("meta", { "http-equiv": "Content-Security-Policy", content: policy }),
      h("meta", { name: "viewport", content: "width=device-width, initial-scale=1" }),
      h("meta", { name: "color-scheme", content: "light dark" }),
      h("title", {}, `Agents of ${foreign(model.project)}`),
      h("style", {}, verbatim(PAGE_STYLE)),
    ),
    "\n",
    h(
      "body",
      {},
      h("a", { class: "skip", href: "#main" }, "Skip to the report"),
      header(model),
      h("main", { id: "main", tabindex: -1 }, model.roles.length === 0 ? welcome(options.invokedAs) : sections(model)),
      footer(model),
      h("script", { type: "application/json", id: "data" }, embeddedJson(pageData(model))),
      h("script", {}, verbatim(PAGE_SCRIPT)),
    ),
  );
  return `<!doctype html>\n${page.markup}\n`;
}

function header({ project, since, now }: Model): Markup {
  return h(
    "header",
    {},
    h(
      "div",
      { class: "head" },
      h("div", {}, h("p", { class: "kicker" }, "Agent context report"), h("h1", {}, foreign(project))),
      h("button", { type: "button", id: "theme", hidden: true }, "Theme: auto"),
    ),
    h(
      "p",
      { class: "muted" },
      `As of ${timeText(now)}, back to ${timeText(since)} (${durationText(now - since)}). All times are UTC.`,
    ),
  );
}

function sections(model: Model): Child {
  const compactions = model.roles.some((role) => role.compactions.length > 0);
  const saves = model.roles.some((role) => role.saves.length > 0);
  const durations = model.roles.some((role) => role.durations.length > 0);
  return [
    figures(model),
    filters(model),
    section("fleet", "Fleet", fleetTable(model)),
    section("timelines", "Timelines", [legend(), timelines(model)]),
    section(
      "compactions",
      "Compactions",
      compactions ? compactionTable(model) : nothing("No compaction in this time."),
    ),
    section("saves", "Saves", saves ? saveTable(model) : nothing("No save in this time.")),
    section(
      "durations",
      "Time in each state",
      durations ? durationTable(model) : nothing("No transition in this time."),
    ),
  ];
}

function section(id: string, title: string, body: Child): Markup {
  return h(
    "section",
    { id, "aria-labelledby": `${id}-heading` },
    h("h2", { id: `${id}-heading` }, title),
    body,
    h("p", { class: "muted none", hidden: true }, "Nothing in this selection."),
  );
}

function nothing(text: string): Markup {
  return h("p", { class: "muted" }, text);
}

function figures(model: Model): Markup {
  const sum = (count: (role: Model["roles"][number]) => number): number =>
    model.roles.reduce((total, role) => total + count(role), 0);
  const stuck = sum((role) => (role.stuck ? 1 : 0));
  const compactions = sum((role) => role.compactions.length);
  const unsaved = sum((role) => role.compactions.filter(({ from }) => from !== "saved").length);
  const figure = (count: number, label: string, bad = false): Markup =>
    h("div", { class: bad ? "figure alarm" : "figure" }, h("dt", {}, label), h("dd", {}, count));
  return h(
    "dl",
    { class: "figures" },
    figure(model.roles.length, model.roles.length === 1 ? "role" : "roles"),
    figure(stuck, "stuck", stuck > 0),
    figure(compactions, compactions === 1 ? "compaction" : "compactions"),
    figure(unsaved, "of them unsaved", unsaved > 0),
    figure(
      sum((role) => role.saves.filter(({ good }) => good).length),
      "good saves",
    ),
  );
}

function filters(model: Model): Markup {
  const option = (value: string, label: string): Markup => h("option", { value }, label);
  return h(
    "form",
    { id: "filters", hidden: true, "aria-label": "Filters", role: "search" },
    h("label", { for: "role" }, "Role"),
    h(
      "select",
      { id: "role" },
      option("", "All roles"),
      model.roles.map(({ facts: { role } }) => option(role, role)),
    ),
    h("label", { for: "day" }, "Day"),
    h(
      "select",
      { id: "day" },
      option("", "All days"),
      model.activeDays.map((day) => option(day, day)),
    ),
    h("button", { type: "reset" }, "Show all"),
    h("p", { id: "status", role: "status", "aria-live": "polite" }),
  );
}

function welcome(invokedAs: string): Child {
  return h(
    "section",
    { class: "card", "aria-labelledby": "welcome-heading" },
    h("h2", { id: "welcome-heading" }, "No role yet"),
    h(
      "p",
      {},
      "A role is an agent with a context file: what it writes down before its memory is compacted. Three steps make the first one:",
    ),
    h(
      "ol",
      {},
      h("li", {}, h("code", {}, `${invokedAs} init`), " sets the project up and registers the hooks."),
      h("li", {}, h("code", {}, `${invokedAs} new oosh-expert`), " writes a context file from a template."),
      h("li", {}, h("code", {}, `${invokedAs} lifecycle.save oosh-expert`), " checks it and marks the role saved."),
    ),
    h("p", {}, "Then make this report again: each role has its row, its timeline and its compactions here."),
  );
}

function footer({ roles }: Model): Markup {
  return h(
    "footer",
    {},
    roles.length === 0
      ? null
      : h(
          "p",
          {},
          h("span", { class: "unknown" }, "unknown"),
          " is what nobody wrote down: tokens are known where the client still has the session's transcript, sizes of saves since the version that records them.",
        ),
    h("p", {}, "This page is one file. It loads nothing and sends nothing."),
  );
}
