import { describe, expect, test } from "vitest";
import { homeIssues } from "../rig/home-issues.ts";
import { workingBubblewrap } from "../rig/sandboxed.ts";
import { ACP_AGENTS, ACP_NAMES, acpDriver } from "./acp-agents.ts";
import { isInstalled } from "./installed.ts";
import { engineSession } from "./engine-session.ts";
import { modelOf, SUMS } from "./model-mind.ts";
import { turnsOf } from "./turns-of.ts";
import { expectBranch, expectFinding } from "./whole-session.ts";

const bubblewrap = await workingBubblewrap();
const SANDBOXES = [
  { where: "without a sandbox", sandbox: "none", isThere: true },
  { where: "in bubblewrap", sandbox: "bubblewrap", isThere: "path" in bubblewrap },
] as const;

describe.each(SANDBOXES)("$where", ({ sandbox, isThere }) => {
  for (const cli of ACP_NAMES) {
    test.skipIf(!isThere || !isInstalled(cli))(
      `${cli} over ACP plans, builds, reviews, fixes, re-reviews and tests, and leaves no process`,
      async () => {
        const driver = acpDriver(cli);
        const model = modelOf(cli, SUMS, undefined, driver);
        await using engines = await engineSession({
          engines: [[cli, model]],
          acp: ACP_AGENTS[cli],
          config: 'verify: [["node", "--test"]]\n',
          sandbox,
        });
        const { session } = engines;
        const run = await session.wisp("start", "request.md", "--branch", "wisp/sums");
        expect({ ...run, code: run.code === 0 ? 0 : run.stdout + run.stderr }).toMatchObject({
          code: 0,
        });
        expect(await homeIssues(session.home())).toEqual([]);
        expectBranch(session);
        expectFinding(session.home());
        const turns = turnsOf(session.home());
        expect(new Set(turns.map(({ begin }) => begin.engine))).toEqual(new Set(["acp"]));
        const ended = turns.filter(({ end }) => end.outcome === "ended");
        const models = new Set(ended.map(({ end }) => end.model));
        expect(models).toEqual(new Set([driver.model]));
        const failed = turns.filter(({ end }) => end.outcome !== "ended");
        // gemini 0.61.0 does not always find its earlier conversation again over ACP: a new one follows.
        const failures = cli === "gemini" ? ["no-session"] : [];
        expect(failures).toEqual(expect.arrayContaining(failed.map(({ end }) => end.failure)));
        expect(session.leftovers()).toEqual([]);
      },
    );
  }
});
