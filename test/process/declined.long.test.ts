import { expect, test } from "vitest";
import { started } from "../rig/walk-session.ts";
import { tmuxTerminal } from "../rig/tmux-terminal.ts";
import { ONE_TASK } from "./scenarios.ts";

test.each(["abandon a-request", "review a-request --reject"])(
  "`%s --json` prints one JSON object and changes nothing if the person declines",
  async (command) => {
    await using session = await started(ONE_TASK);
    await using terminal = tmuxTerminal(session, { columns: 120, rows: 40 });
    terminal.run(`wisp ${command} --json; echo "ended with $?"`);
    await terminal.shows("[y/N]");
    terminal.run("n");
    await terminal.shows("ended with 1");
    const shown = terminal.rows().join("\n");
    const printed = shown.slice(shown.indexOf("{"), shown.lastIndexOf("}") + 1);
    expect(JSON.parse(printed)).toMatchObject({
      schema: "wisp.error/1",
      error: { code: "declined", next: [`wisp ${command} --yes`] },
    });
    expect((await session.wisp("list")).stdout).toContain("DONE (complete");
  },
);
