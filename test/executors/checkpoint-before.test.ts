import { existsSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { checkpointBefore } from "../../src/actions/elsewhere/checkpoint-before.ts";
import { jsonOf } from "../../src/base/words/json-text.ts";
import { spritesExecutor } from "../../src/executors/sprites/sprites-executor.ts";
import { homeAt } from "../../src/fs-protocol/home/home.ts";
import { nodeWeb } from "../../src/host/web/node-web.ts";
import { MemoryFiles } from "../rig/memory-files.ts";
import { must } from "./contract.ts";
import { executorHost } from "./executor-host.ts";
import { openSprites, type SpritesDouble } from "./sprites-double.ts";

/** The double finds processes by their environment. */
const LACKS = !existsSync("/proc/self/environ");
const WHY = LACKS ? " (skipped: needs /proc)" : "";

const NOW_MS = Date.parse("2026-11-20T11:00:00.000Z");
const Note = z.object({ checkpoint: z.string(), place: z.string(), time: z.string() });

/** A session in a sprite of a double; what is told about its checkpoints, and what is noted. */
async function inSprite() {
  const double = await openSprites();
  onTestFinished(() => double.close());
  const { baseUrl, token, awakeSocket } = double;
  const options = { name: "sprites", token, baseUrl, awakeSocket };
  const executor = spritesExecutor({ ...executorHost(), web: nodeWeb }, options);
  const place = must(await executor.create({ key: "k" }));
  const files = new MemoryFiles();
  const told: string[] = [];
  const world = {
    tell: (text: string) => void told.push(text),
    host: { files, clock: { nowMs: () => NOW_MS } },
  };
  const home = homeAt("/repository/.wisp/sessions/demo");
  const before = (...words: readonly string[]) =>
    checkpointBefore(world, { id: "demo", home, executor, place }, words);
  const noted = () => {
    const bytes = must(files.read(`${home.locks}/checkpoint.json`)) ?? [];
    return Note.safeParse(jsonOf(Buffer.from(bytes).toString())).data;
  };
  return { double, before, told, noted };
}

const asked = ({ seen }: SpritesDouble) => seen.filter(({ url }) => url.endsWith("/checkpoint"));

test.skipIf(LACKS)(
  `before a revision a checkpoint of the place is made, said and noted${WHY}`,
  async () => {
    const { before, told, noted } = await inSprite();
    await before("revise", "demo", "--file", "more.md");
    await before("review", "demo", "--request-revision=Say it louder", "--detach", "--yes");
    await before("review", "demo", "--comment", "hello.txt:1", "louder");
    const made = told.map((text) => /^Checkpoint (v\d) of the place was made/u.exec(text)?.[1]);
    expect(made).toEqual(["v0", "v1", "v2"]);
    expect(told[0]).toContain("to go back to demo before this revision");
    expect(told[0]).toContain("at wisp-k");
    const time = "2026-11-20T11:00:00.000Z";
    expect(noted()).toEqual({ checkpoint: "v2", place: "wisp-k", time });
  },
);

test.skipIf(LACKS)(
  `no checkpoint is made before anything that makes no revision${WHY}`,
  async () => {
    const { double, before, told, noted } = await inSprite();
    await before("answer", "--session", "demo", "--", "q1", "--request-revision");
    await before("review", "demo", "--approve");
    await before("revise", "demo", "--dry-run");
    await before("far", "grant", "demo");
    expect(asked(double)).toEqual([]);
    expect(told).toEqual([]);
    expect(noted()).toBeUndefined();
  },
);

test.skipIf(LACKS)(`that no checkpoint can be made is said, and stops nothing${WHY}`, async () => {
  const { double, before, told, noted } = await inSprite();
  double.faults.cutsReports = true;
  await before("revise", "demo");
  expect(told).toEqual([
    expect.stringMatching(/^No checkpoint of the place was made, and the revision goes on/u),
  ]);
  expect(noted()).toBeUndefined();
});
