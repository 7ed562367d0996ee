import { expect, test } from "vitest";
import { leavePane, listPanes, takePane } from "../../src/platform/tmux-panes.ts";
import { BARE_ENV } from "../helpers/run-program.ts";
import { HAS_TMUX, startTmux } from "../helpers/tmux-server.ts";
import { makeWorkspace } from "../helpers/workspace.ts";

test.skipIf(!HAS_TMUX)(
  "a pane that its holder left just before is nobody's, and not the next one's already",
  async () => {
    const server = { env: { ...BARE_ENV, ...startTmux(makeWorkspace()).env }, socket: null };
    const panes = await listPanes(server, "tester");
    const [pane] = panes.ok ? panes.value : [];
    if (pane === undefined) throw new Error("There is no pane.");
    const [first, second] = ["1/1/0-0/host", "2/1/0-0/host"];
    expect(await takePane(server, pane, { own: first, former: "" })).toBe(first);
    expect(await takePane(server, pane, { own: second, former: "" })).toBe(first);
    await leavePane(server, pane, second);
    expect(await takePane(server, pane, { own: second, former: "" })).toBe(first);
    await leavePane(server, pane, first);
    expect(await takePane(server, pane, { own: second, former: first })).toBe("");
    expect(await takePane(server, pane, { own: second, former: "" })).toBe(second);
    expect(await takePane(server, { ...pane, id: "%99" }, { own: first, former: "" })).toBe(null);
  },
);
