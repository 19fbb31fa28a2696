import { existsSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { atWork, idle } from "../rig/walk-session.ts";

test("nothing is made again of a repository that is removed while roles work in it", async () => {
  await using session = await atWork();
  const { repository, root } = session;
  const gone = join(root, "gone");
  renameSync(repository, gone);
  rmSync(gone, { recursive: true });
  // The builder's turn ends, and with it every role looks at what is there.
  writeFileSync(join(root, "empty-home/go"), "go\n");
  await idle(session);
  expect(existsSync(repository)).toBe(false);
});
