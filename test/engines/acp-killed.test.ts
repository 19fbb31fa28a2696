import { expect, test } from "vitest";
import { endProcess } from "../rig/marked-processes.ts";
import { ACP_AGENTS, ACP_NAMES, acpDriver } from "./acp-agents.ts";
import { engineSession } from "./engine-session.ts";
import { isInstalled } from "./installed.ts";
import { builderPid, hasSlept } from "./killed-builder.ts";
import { HELLO, modelOf } from "./model-mind.ts";
import { BUILDER, expectOneAttempt } from "./troubled-session.ts";
import { turnsOf } from "./turns-of.ts";

/** gemini 0.61.0 does not find the conversation of a killed process again. */
const BEGINS_ANEW: ReadonlySet<string> = new Set(["gemini"]);

for (const cli of ACP_NAMES) {
  test.skipIf(!isInstalled(cli))(
    `${cli} over ACP: the turn of a builder that is killed is taken up by the next one, and no process is left`,
    async () => {
      const driver = acpDriver(cli);
      const slow = { text: "I begin.", tools: [driver.shell("echo one > one.txt; sleep 300")] };
      const acp = ACP_AGENTS[cli];
      await using run = await engineSession({ engines: [[cli, [slow]]], acp, ...BUILDER });
      const { session, models } = run;
      const child = session.spawn("start", "request.md");
      const ended = new Promise((resolve) => child.once("exit", resolve));
      await session.until("a tool that runs", () => hasSlept(session));
      models[0]?.script(modelOf(cli, HELLO, undefined, driver));
      endProcess(builderPid(session));
      expect(await ended).toBe(0);
      expectOneAttempt(session);
      const [killed, next, ...others] = turnsOf(session.home()).filter(
        ({ role }) => role === "builder",
      );
      expect(killed?.end.outcome).toBe("stopped");
      expect(next?.begin.resume).toBe(killed?.end.session);
      const failures = [next, ...others].map((turn) => turn?.end.failure);
      expect(failures).toEqual(BEGINS_ANEW.has(cli) ? ["no-session", undefined] : [undefined]);
      expect(session.leftovers()).toEqual([]);
    },
  );
}
