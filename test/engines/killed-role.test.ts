import { expect, test } from "vitest";
import { endProcess } from "../rig/marked-processes.ts";
import { driverOf } from "./cli-drivers.ts";
import { engineSession } from "./engine-session.ts";
import { builderPid, hasSlept } from "./killed-builder.ts";
import { HELLO, modelOf } from "./model-mind.ts";
import { BUILDER, expectOneAttempt } from "./troubled-session.ts";
import { turnsOf } from "./turns-of.ts";

test.each(["claude", "codex", "copilot"] as const)(
  "%s: a builder that is killed during its turn resumes the same engine session",
  async (cli) => {
    const slow = {
      text: "I begin.",
      tools: [driverOf(cli).shell("echo one > one.txt; sleep 300")],
    };
    await using run = await engineSession({ engines: [[cli, [slow]]], ...BUILDER });
    const { session, models } = run;
    const child = session.spawn("start", "request.md");
    const ended = new Promise((resolve) => child.once("exit", resolve));
    await session.until("a tool that runs", () => hasSlept(session));
    models[0]?.script(modelOf(cli, HELLO));
    endProcess(builderPid(session));
    expect(await ended).toBe(0);
    expectOneAttempt(session);
    const [killed, resumed, ...others] = turnsOf(session.home()).filter(
      ({ role }) => role === "builder",
    );
    expect(others).toEqual([]);
    expect(killed?.end.outcome).toBe("stopped");
    expect(killed?.end.session).toMatch(/.{8}/u);
    expect(resumed).toMatchObject({
      begin: { resume: killed?.end.session },
      end: { outcome: "ended", session: killed?.end.session },
    });
    // The model received its earlier messages.
    expect(models[0]?.asked.at(-1)?.body).toContain("I begin.");
  },
);
