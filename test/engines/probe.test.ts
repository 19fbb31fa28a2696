import { expect, test } from "vitest";
import { z } from "zod";
import type { Said, Step } from "../rig/model-server.ts";
import { driverOf } from "./cli-drivers.ts";
import { engineSession } from "./engine-session.ts";
import { CLIS, type Installed } from "./installed.ts";

const Probed = z.object({
  engines: z.array(z.object({ name: z.string(), probe: z.unknown() })),
});

/** A model that reads the file that it is asked for, and answers with its content; or reads another file. */
function readerOf(cli: Installed, pathOf: (asked: string) => string) {
  return (said: readonly Said[]): Step => {
    const prompt = said.findLast(
      ({ by, text }) => by === "person" && text.includes("Read the file"),
    );
    const [, asked = ""] = /Read the file `([^`]+)`/u.exec(prompt?.text ?? "") ?? [];
    const read = said.findLast(({ by }) => by === "tool");
    if (read !== undefined) return { text: read.text };
    return { text: "I will.", tools: [driverOf(cli).read(pathOf(asked))] };
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
