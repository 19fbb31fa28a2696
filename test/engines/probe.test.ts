import { expect, test } from "vitest";
import { z } from "zod";
import type { Said, Step } from "../rig/model-server.ts";
import { ACP_AGENTS, ACP_NAMES, acpDriver } from "./acp-agents.ts";
import { driverOf, type CliDriver } from "./cli-drivers.ts";
import { engineSession } from "./engine-session.ts";
import { CLIS, isInstalled, type Installed } from "./installed.ts";

const Probed = z.object({
  engines: z.array(z.looseObject({ name: z.string(), probe: z.unknown().optional() })),
});

/** A model that reads the file that it is asked for, and answers with its content; or reads another file. */
function readerOf(
  cli: Installed,
  pathOf: (asked: string) => string,
  driver: CliDriver = driverOf(cli),
) {
  return (said: readonly Said[]): Step => {
    const prompt = said.findLast(
      ({ by, text }) => by === "person" && text.includes("Read the file"),
    );
    const [, asked = ""] = /Read the file `([^`]+)`/u.exec(prompt?.text ?? "") ?? [];
    const read = said.findLast(({ by }) => by === "tool");
    if (read !== undefined) return { text: read.text };
    return { text: "I will.", tools: [driver.read(pathOf(asked))] };
  };
}

async function probe(pathOf: (asked: string) => string) {
  const engines = CLIS.map((cli) => [cli, readerOf(cli, pathOf)] as const);
  await using run = await engineSession({ engines });
  const { code, stdout } = await run.session.wisp("engines", "--probe", "--json");
  const told = Probed.parse(JSON.parse(stdout)).engines;
  return { code, told: new Map(told.map(({ name, probe: of }) => [name, of])) };
}

test("a probe passes each engine that can read a file in the turn's folder", async () => {
  const { code, told } = await probe((asked) => asked);
  const works = { works: true, answers: true, readsFolder: true, reason: null };
  expect(Object.fromEntries(told)).toEqual(Object.fromEntries(CLIS.map((cli) => [cli, works])));
  expect(code).toBe(0);
});

test("a probe fails an engine that reads something else", async () => {
  const { code, told } = await probe(() => "/etc/hostname");
  for (const cli of CLIS) expect(told.get(cli)).toMatchObject({ works: false, readsFolder: false });
  expect(code).toBe(1);
});

for (const cli of ACP_NAMES) {
  test.skipIf(!isInstalled(cli))(
    `a probe passes ${cli} over ACP, as the settings name it`,
    async () => {
      const driver = acpDriver(cli);
      const acp = ACP_AGENTS[cli];
      const model = readerOf(cli, (asked) => asked, driver);
      await using run = await engineSession({ engines: [[cli, model]], acp });
      const { stdout } = await run.session.wisp("engines", "--probe", "--json");
      const told = Probed.parse(JSON.parse(stdout)).engines.filter(({ name }) => name === "acp");
      const probe = { works: true, answers: true, readsFolder: true, reason: null };
      expect(told).toMatchObject([
        { key: "roles.planner.engine", argv: [cli, ...acp.words], probe },
      ]);
    },
  );
}
