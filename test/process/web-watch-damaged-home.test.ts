import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { oneTask, put, replaySession } from "../rig/replay-session.ts";
import { enterWeb, followWeb, startWebWatch } from "../rig/web-watch.ts";

test("`wisp watch --web` shows the other sessions if the logs of one cannot be read, and says so of that one", async () => {
  await using session = replaySession({ turns: oneTask("Say hello", put("hello.txt", "hello\n")) });
  for (const id of ["sound", "damaged"]) {
    const words = ["start", "request.md", "--branch", `wisp/${id}`, "--no-up", "--yes"];
    expect(await session.wisp(...words)).toMatchObject({ code: 0 });
  }
  const logs = join(session.home("damaged"), "logs");
  renameSync(logs, `${logs}-kept`);
  writeFileSync(logs, "mine\n");
  await using web = await startWebWatch(session, "damaged");
  const admitted = await enterWeb(web);
  using damaged = followWeb(web, admitted, "damaged");
  await damaged.reads("To see what is damaged: wisp fsck damaged");
  using sound = followWeb(web, admitted, "sound");
  await sound.reads('"session":"sound"');
});
