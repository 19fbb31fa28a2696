import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WispRig } from "../cli/wisp-rig.ts";

let rig: WispRig;
beforeAll(async () => {
  rig = await WispRig.create();
});
afterAll(() => rig[Symbol.asyncDispose]());

test("refuses the request of an unfinished session and names what to do; accepts it with --again or after the session was abandoned", async () => {
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
  expect(again.stderr).toContain("request.md was already started: the session say-hello");
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

test("refuses the request of a complete session and names that session and what to do", async () => {
  const agent = `#!/bin/sh
case "$WISP_PURPOSE" in
  plan) printf '## Milestone: One\\n\\n- [ ] Say hello\\n' >"$WISP_TASKS_FILE" ;;
  build)
    echo hello >hello.txt && git add --all && git commit --quiet --message "Say hello"
    sed 's/\\[ \\]/[x]/' "$WISP_TASKS_FILE" >tasks.new && cat tasks.new >"$WISP_TASKS_FILE" && rm tasks.new ;;
  *) printf '### Verdict: PASSED\\n\\n### Findings\\n\\nNone\\n' ;;
esac
`;
  const never = "---\nlevel: suggestion\nwhen: never\n---\n";
  const names = ["docs", "performance", "security", "simplicity", "tests"];
  const cwd = await rig.repository("complete", {
    "request.md": "# Say hello\n\nPlease.\n",
    "agent.sh": agent,
    ".wisp/config.yaml":
      "engine: { command: [./agent.sh] }\nsandbox: none\nmcp: { playwright: false }\n",
    ...Object.fromEntries(names.map((name) => [`.wisp/reviewers/${name}.md`, never])),
  });
  const wisp = (...words: readonly string[]) => rig.run(words, { cwd });
  expect(await wisp("start", "request.md", "--yes")).toMatchObject({ code: 0 });

  const again = await wisp("start", "request.md", "--yes");
  expect(again.code).toBe(2);
  expect(again.stderr).toContain("request.md is already done: the session say-hello");
  for (const command of ["review", "revise", "done"])
    expect(again.stderr).toContain(`  wisp ${command} say-hello\n`);
  expect(again.stderr).toContain("  wisp start request.md --again\n");
  const sessions = () => readdirSync(join(cwd, ".wisp/sessions")).sort();
  expect(sessions()).toEqual(["say-hello"]);

  expect(await wisp("start", "request.md", "--no-up", "--again")).toMatchObject({ code: 0 });
  const unfinished = await wisp("start", "request.md", "--no-up");
  expect(unfinished.stderr).toContain("was already started: the session say-hello-2");
  await wisp("abandon", "say-hello-2", "--yes");
  expect(await wisp("done", "say-hello", "--no-push", "--no-pr")).toMatchObject({ code: 0 });
  expect(await wisp("start", "request.md", "--no-up")).toMatchObject({ code: 0 });
});
