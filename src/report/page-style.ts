/** The page's stylesheet. Colours of texts keep 4.5:1 to what is behind them, in light and dark; a test asks axe. */
export const PAGE_STYLE: string = `
:root {
  color-scheme: light;
  --page: #f6f7f9; --card: #ffffff; --ink: #1a1f27; --muted: #586070; --line: #dfe3e9; --track: #edf0f4;
  --link: #1d5fd1; --focus: #1d5fd1; --good: #0f6b43; --good-back: #e3f4ec; --warn: #7a4a00; --warn-back: #fdf0d5;
  --bad: #a5241c; --bad-back: #fde8e6;
  --active: #6b93cf; --saving: #c98a1b; --saved: #1f9160; --compacting: #8a55cf; --recovering: #d64f45; --unknown: #8b93a1;
}
@media (prefers-color-scheme: dark) {
  :root:not([data-theme="light"]) {
    color-scheme: dark;
    --page: #0e1116; --card: #161b22; --ink: #e7ebf1; --muted: #a0a9b8; --line: #2a313c; --track: #1f2630;
    --link: #84b1ff; --focus: #84b1ff; --good: #6fdba6; --good-back: #12301f; --warn: #f3c26b; --warn-back: #37290c;
    --bad: #ff9d95; --bad-back: #411a18;
    --active: #4d73ad; --saving: #dba43f; --saved: #38ad7b; --compacting: #a67be6; --recovering: #ec7268; --unknown: #6f7887;
  }
}
:root[data-theme="dark"] {
  color-scheme: dark;
  --page: #0e1116; --card: #161b22; --ink: #e7ebf1; --muted: #a0a9b8; --line: #2a313c; --track: #1f2630;
  --link: #84b1ff; --focus: #84b1ff; --good: #6fdba6; --good-back: #12301f; --warn: #f3c26b; --warn-back: #37290c;
  --bad: #ff9d95; --bad-back: #411a18;
  --active: #4d73ad; --saving: #dba43f; --saved: #38ad7b; --compacting: #a67be6; --recovering: #ec7268; --unknown: #6f7887;
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--page); color: var(--ink); font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
header, main, footer { max-width: 1120px; margin: 0 auto; padding: 0 24px; }
header { padding-top: 32px; }
main:focus { outline: none; }
.head { display: flex; justify-content: space-between; align-items: flex-start; gap: 16px; }
.kicker { margin: 0; color: var(--muted); font-size: 13px; letter-spacing: .02em; }
h1 { margin: 2px 0 0; font-size: 28px; line-height: 1.2; letter-spacing: -.01em; overflow-wrap: anywhere; }
h2 { margin: 0 0 12px; font-size: 18px; line-height: 1.3; }
h3 { margin: 0 0 10px; font-size: 15px; overflow-wrap: anywhere; }
header > .muted { margin: 8px 0 0; }
section { margin: 36px 0 0; }
.muted { color: var(--muted); }
.note { margin: 0 0 10px; color: var(--warn); font-size: 13px; }
.skip { position: absolute; left: -9999px; top: 8px; padding: 8px 12px; background: var(--card); color: var(--link); border-radius: 6px; }
.skip:focus { left: 8px; z-index: 2; }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; border-radius: 4px; }
button, select { font: inherit; font-size: 14px; color: var(--ink); background: var(--card); border: 1px solid var(--line); border-radius: 7px; padding: 6px 12px; min-height: 36px; max-width: 100%; }
button { cursor: pointer; white-space: nowrap; }
button:hover, select:hover { border-color: var(--muted); }
code { font: .9em ui-monospace, SFMono-Regular, Menlo, "DejaVu Sans Mono", monospace; overflow-wrap: anywhere; }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(130px, 1fr)); gap: 12px; margin: 24px 0 0; }
.figure { display: flex; flex-direction: column-reverse; background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 12px 16px; }
.figure dt { color: var(--muted); font-size: 13px; }
.figure dd { margin: 0; font-size: 26px; line-height: 1.2; font-weight: 600; font-variant-numeric: tabular-nums; }
.figure.alarm dd { color: var(--bad); }
#filters { position: sticky; top: 0; z-index: 1; display: flex; flex-wrap: wrap; align-items: center; gap: 8px 10px; margin: 20px 0 0; padding: 10px 0; background: var(--page); border-bottom: 1px solid var(--line); }
#filters label { color: var(--muted); font-size: 14px; }
#filters select + label { margin-left: 8px; }
#status { margin: 0 0 0 auto; color: var(--muted); font-size: 13px; }
section { scroll-margin-top: 70px; }
.scroll { overflow-x: auto; background: var(--card); border: 1px solid var(--line); border-radius: 10px; }
table { width: 100%; border-collapse: collapse; font-size: 14px; }
caption { text-align: left; padding: 10px 16px 0; color: var(--muted); font-size: 13px; }
th, td { padding: 8px 16px; text-align: left; vertical-align: top; font-variant-numeric: tabular-nums; }
thead th { color: var(--muted); font-weight: 500; font-size: 13px; white-space: nowrap; padding-bottom: 6px; }
tbody th { font-weight: 600; white-space: nowrap; }
#compaction-table tbody th, #save-table tbody th { font-weight: 400; }
tbody tr > * { border-top: 1px solid var(--line); }
.number { text-align: right; white-space: nowrap; }
.sub { display: block; color: var(--muted); font-size: 12.5px; overflow-wrap: anywhere; }
#fleet-table td:nth-child(3), #fleet-table td:nth-child(5) { white-space: nowrap; }
#fleet-table td:nth-child(5) .sub { white-space: normal; }
#fleet-table th, #fleet-table td { padding-left: 12px; padding-right: 12px; }
#fleet-table tr > :first-child { padding-left: 16px; } #fleet-table tr > :last-child { padding-right: 16px; }
#fleet-table td:nth-child(6) code { display: inline-block; min-width: 18ch; font-size: 12px; }
#compactions .scroll, #saves .scroll { max-height: 36rem; overflow: auto; }
#compactions thead th, #saves thead th { position: sticky; top: 0; background: var(--card); box-shadow: 0 1px 0 var(--line); }
#compaction-table td:nth-child(2), #compaction-table td:nth-child(3), #compaction-table td:nth-child(8), #save-table td:nth-child(2) { white-space: nowrap; }
.state { display: inline-flex; align-items: center; gap: 7px; white-space: nowrap; }
.swatch { width: 11px; height: 11px; border-radius: 3px; flex: none; background: var(--unknown); }
.swatch-active { background: var(--active); } .swatch-saving { background: var(--saving); } .swatch-saved { background: var(--saved); }
.swatch-compacting { background: var(--compacting); } .swatch-recovering { background: var(--recovering); }
.tick-mark { width: 14px; height: 2px; background: var(--ink); }
.flag { display: inline-block; padding: 0 7px; border-radius: 5px; font-size: 13px; white-space: nowrap; }
.flag.good { color: var(--good); background: var(--good-back); }
.flag.warn { color: var(--warn); background: var(--warn-back); }
.flag.bad { color: var(--bad); background: var(--bad-back); }
.unknown { color: var(--muted); font-style: italic; }
.legend li { display: flex; }
.legend { display: flex; flex-wrap: wrap; align-items: center; gap: 6px 18px; margin: 0 0 14px; padding: 0; list-style: none; font-size: 13px; color: var(--muted); }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 16px 18px; margin: 0 0 14px; }
section.card { margin-top: 28px; }
.card > p { margin-bottom: 0; }
.card li { margin: 6px 0; }
.card .scroll { margin-top: 10px; border-radius: 8px; }
.timeline { display: block; width: 100%; height: auto; overflow: visible; }
.timeline .track { fill: var(--track); }
.timeline .grid { stroke: var(--line); stroke-width: 1; }
.timeline .axis { fill: var(--muted); font-size: 11px; font-variant-numeric: tabular-nums; }
.timeline .tick { stroke: var(--ink); stroke-width: 1.5; }
.fill-active { fill: var(--active); } .fill-saving { fill: var(--saving); } .fill-saved { fill: var(--saved); }
.fill-compacting { fill: var(--compacting); } .fill-recovering { fill: var(--recovering); } .fill-unknown { fill: var(--unknown); }
details { margin-top: 10px; }
summary { cursor: pointer; color: var(--link); font-size: 13px; width: fit-content; }
footer { margin-top: 36px; padding-top: 16px; padding-bottom: 40px; color: var(--muted); font-size: 13px; border-top: 1px solid var(--line); }
footer p { margin: 0 0 6px; max-width: 75ch; }
@media (max-width: 640px) {
  header, main, footer { padding-left: 16px; padding-right: 16px; }
  header { padding-top: 20px; }
  h1 { font-size: 23px; }
  .figures { grid-template-columns: repeat(2, 1fr); }
  .figure:last-child { grid-column: 1 / -1; }
  #filters { position: static; display: grid; grid-template-columns: auto minmax(0, 1fr); }
  #filters select + label { margin-left: 0; }
  #filters button, #status { grid-column: 1 / -1; margin-left: 0; }
  .card { padding: 14px; }
  tbody th { min-width: 9rem; white-space: normal; overflow-wrap: anywhere; }
  .overview, .day { overflow-x: auto; }
  .timeline { min-width: 860px; }
}
@media print {
  :root { --page: #fff; }
  #filters, #theme, .skip { display: none !important; }
  .scroll, #compactions .scroll, #saves .scroll { overflow: visible; max-height: none; }
  .card, tr { break-inside: avoid; }
}
`;
