import { existsSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { atWork, idle } from "../rig/walk-session.ts";

test("roles do not recreate a repository that is removed while they run", async () => {
  await using session = await atWork();
  const { repository, root } = session;
  const gone = join(root, "gone");
  renameSync(repository, gone);
  rmSync(gone, { recursive: true });
  // The end of the builder's turn makes every role read its files.
  writeFileSync(join(root, "empty-home/go"), "go\n");
  await idle(session);
  expect(existsSync(repository)).toBe(false);
});
