import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WispRig } from "./wisp-rig.ts";

let rig: WispRig;
beforeAll(async () => {
  rig = await WispRig.create();
});
afterAll(() => rig[Symbol.asyncDispose]());

test("a request that an unfinished session has is refused, with that session and the ways on; given up, or meant, it is not", async () => {
  const cwd = await rig.repository("twice", {
    "request.md": "# Say hello\n\nPlease.\n",
    ".wisp/config.yaml": 'engine: { command: ["true"] }\n',
  });
  const start = (...words: readonly string[]) =>
    rig.run(["start", "request.md", "--no-up", ...words], { cwd });
  const sessions = () => readdirSync(join(cwd, ".wisp/sessions")).sort();
  expect(await start()).toMatchObject({ code: 0 });

  const again = await start();
  expect(again.code).toBe(2);
  expect(again.stderr).toContain("request.md was started already: the session say-hello");
  for (const command of ["status say-hello", "abandon say-hello", "start request.md --again"]) {
    expect(again.stderr).toContain(`  wisp ${command}\n`);
  }
  const forPrograms = await start("--json");
  expect(JSON.parse(forPrograms.stdout)).toMatchObject({ error: { code: "already-started" } });
  expect(sessions()).toEqual(["say-hello"]);

  expect(await start("--again")).toMatchObject({ code: 0 });
  expect(await start("--branch", "topic/other")).toMatchObject({ code: 0 });
  expect(sessions()).toEqual(["say-hello", "say-hello-2", "topic-other"]);
  for (const id of sessions()) await rig.run(["abandon", id, "--yes"], { cwd });
  expect(await start()).toMatchObject({ code: 0 });

  writeFileSync(join(cwd, "request.md"), "# Say hello\n\nTwice.\n");
  expect(await start()).toMatchObject({ code: 0 });
});
