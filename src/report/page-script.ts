/**
 * The page's script: filters by role and day, a single day in detail, light and dark. It makes elements and sets texts;
 * no text of the data ever becomes markup. Without it the page shows everything, day by day.
 */
export const PAGE_SCRIPT: string = `
"use strict";
(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const DAY = 86400000;
  const MOST_ROWS = 500;
  const byId = (id) => document.getElementById(id);
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const data = JSON.parse(byId("data").textContent);

  const theme = byId("theme");
  const THEMES = ["auto", "light", "dark"];
  const stored = () => { try { return localStorage.getItem("agent-context-theme"); } catch { return null; } };
  const keep = (name) => { try { localStorage.setItem("agent-context-theme", name); } catch { /* a page from a file may not */ } };
  const setTheme = (name) => {
    if (name === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = name;
    theme.textContent = "Theme: " + name;
    theme.value = name;
  };
  setTheme(THEMES.includes(stored()) ? stored() : "auto");
  theme.hidden = false;
  theme.addEventListener("click", () => {
    const next = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length];
    setTheme(next);
    keep(next);
  });

  const filters = byId("filters");
  if (filters === null) return;
  const [role, day, status] = [byId("role"), byId("day"), byId("status")];

  const make = (parent, name, attributes, text) => {
    const element = name.startsWith("svg:")
      ? document.createElementNS(SVG, name.slice(4))
      : document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    if (text !== undefined) element.textContent = text;
    parent.append(element);
    return element;
  };
  const stateOf = (row) => (row[0] === -1 ? "unknown" : data.states[row[0]]);
  const clock = (at, start) => (at >= start + DAY ? "24:00:00" : new Date(at).toISOString().slice(11, 19));
  const duration = (ms) => {
    if (ms > 0 && ms < 1000) return "< 1 s";
    const seconds = Math.floor(ms / 1000);
    const parts = [[Math.floor(seconds / 3600), "h"], [Math.floor(seconds / 60) % 60, "min"], [seconds % 60, "s"]];
    const first = parts.findIndex(([count]) => count > 0);
    if (first === -1) return "0 s";
    return parts.slice(first, first + 2).filter(([count]) => count > 0).map((part) => part.join(" ")).join(" ");
  };

  const drawDay = (box, name, chosen) => {
    box.replaceChildren();
    const start = Date.parse(chosen + "T00:00:00Z");
    const rows = data.roles[name].filter((row) => row[2] > start && row[1] < start + DAY);
    if (rows.length === 0) {
      make(box, "p", { class: "muted" }, "Nothing is known of " + chosen + ".");
      return;
    }
    const id = "day-" + name;
    const svg = make(box, "svg:svg", { viewBox: "0 0 1000 68", role: "img", class: "timeline", "aria-labelledby": id + "-title" });
    make(svg, "svg:title", { id: id + "-title" }, name + " on " + chosen + ", 24 hours of UTC; the table below holds the same");
    const x = (at) => 8 + ((at - start) / DAY) * 984;
    make(svg, "svg:rect", { class: "track", x: 8, y: 6, width: 984, height: 36, rx: 3 });
    for (const row of rows) {
      const [from, to] = [Math.max(row[1], start), Math.min(row[2], start + DAY)];
      const bar = make(svg, "svg:rect", { class: "fill-" + stateOf(row), x: x(from).toFixed(2), y: 6, height: 36, width: Math.max(0.75, x(to) - x(from)).toFixed(2) });
      make(bar, "svg:title", {}, clock(from, start) + "–" + clock(to, start) + " " + stateOf(row));
    }
    for (let hour = 0; hour <= 24; hour += 3) {
      make(svg, "svg:text", { class: "axis", x: x(start + hour * 3600000), y: 60, "text-anchor": hour === 0 ? "start" : hour === 24 ? "end" : "middle" }, String(hour).padStart(2, "0") + ":00");
    }
    const scroll = make(box, "div", { class: "scroll", role: "region", tabindex: "0", "aria-labelledby": id + "-caption" });
    const table = make(scroll, "table", {});
    make(table, "caption", { id: id + "-caption" }, name + " on " + chosen);
    const head = make(make(table, "thead", {}), "tr", {});
    for (const label of ["From", "To", "State", "Lasted", "Began by"]) make(head, "th", { scope: "col" }, label);
    const body = make(table, "tbody", {});
    for (const row of rows.slice(0, MOST_ROWS)) {
      const [from, to] = [Math.max(row[1], start), Math.min(row[2], start + DAY)];
      const line = make(body, "tr", {});
      make(line, "th", { scope: "row" }, (row[1] < start ? "before " : "") + clock(from, start));
      make(line, "td", {}, row[2] > start + DAY ? "later" : row[4] === 1 ? "still so" : clock(to, start));
      const badge = make(make(line, "td", {}), "span", { class: "state" });
      make(badge, "span", { class: "swatch swatch-" + stateOf(row), "aria-hidden": "true" });
      badge.append(stateOf(row));
      make(line, "td", {}, duration(to - from));
      make(line, "td", {}, data.by[row[3]]);
    }
    if (rows.length > MOST_ROWS) make(box, "p", { class: "muted" }, rows.length - MOST_ROWS + " more of this day are not listed here: lifecycle.history lists them.");
  };

  const count = (number, noun) => number + " " + noun + (number === 1 ? "" : "s");
  const apply = () => {
    for (const element of all("[data-role], [data-day]")) {
      if (element.closest(".overview")) continue;
      const { role: ofRole, day: ofDay } = element.dataset;
      element.hidden = (role.value !== "" && ofRole !== undefined && ofRole !== role.value) || (day.value !== "" && ofDay !== undefined && ofDay !== day.value);
    }
    for (const article of all("article[data-role]")) {
      const [overview, box] = [article.querySelector(".overview"), article.querySelector(".day")];
      if (overview === null) continue;
      const single = day.value !== "" && !article.hidden;
      overview.hidden = single;
      box.hidden = !single;
      if (single) drawDay(box, article.dataset.role, day.value);
      else box.replaceChildren();
    }
    const shown = (selector) => all(selector).reduce((sum, row) => sum + (row.hidden ? 0 : Number(row.dataset.count ?? 1)), 0);
    for (const table of all("#compaction-table, #save-table, #duration-table")) {
      const empty = shown("#" + table.id + " tbody tr") === 0;
      table.closest(".scroll").hidden = empty;
      table.closest("section").querySelector(".none").hidden = !empty;
    }
    status.textContent = "Showing " + count(shown("#fleet-table tbody tr"), "role") + ", " +
      count(shown("#compaction-table tbody tr"), "compaction") + ", " + count(shown("#save-table tbody tr"), "save") +
      (day.value === "" ? "" : " of " + day.value) + ".";
  };
  filters.addEventListener("submit", (event) => event.preventDefault());
  filters.addEventListener("change", apply);
  filters.addEventListener("reset", () => setTimeout(apply));
  // Before the form is shown: a browser that goes back restores what was chosen, and nothing is announced.
  apply();
  filters.hidden = false;
})();
`;
