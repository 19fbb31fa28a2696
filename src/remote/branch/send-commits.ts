import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { Oid } from "../../base/oid.ts";
import { FAR_COPY_MS_MAX, SENT_COMMITS_BYTES_MAX } from "../../base/limits.ts";
import {
  ExecutorUnreachable,
  type ExecutorFailure,
  type FarCommand,
} from "../../base/ports/executor.ts";
import type { FileFailure } from "../../base/ports/files.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { jsonOf } from "../../base/words/json-text.ts";
import { bundleAfter, noteSent, type MirroredBranch } from "../../git/repository/mirror-branch.ts";
import { gitContext, type World } from "../../workspace/world.ts";
import { askFar, farCommand } from "../far-program.ts";
import type { MirroredSession } from "../follow/mirrored-session.ts";
import { putContents } from "../take/put-contents.ts";
import { CommitsTaken, sentCommitsPath, sentContentsPath } from "./sent-commits.ts";

/**
 * Sends the commits of a session's branch here that come after `from` to where the session runs, and has its branch
 * there moved to them. It may be killed anywhere, and done again by any process.
 */
export async function sendCommits(
  world: World,
  mirrored: MirroredSession,
  from: Oid,
): Promise<Result<CommitsTaken, ExecutorFailure | GitFailure | FileFailure>> {
  const { files } = world.host;
  const { executor, place, placed, branch, id: session } = mirrored;
  const of: MirroredBranch = { directory: placed.repository, branch, session };
  const made = files.makeDirectory(placed.state);
  if (!made.ok) return made;
  const path = join(placed.state, `${randomUUID()}.bundle`);
  try {
    const bundled = await bundleAfter(gitContext(world), of, { from, path });
    if (!bundled.ok) return bundled;
    const to = bundled.value;
    const bytes = files.stat(path)?.sizeBytes ?? 0;
    if (bytes > SENT_COMMITS_BYTES_MAX) {
      const detail = `your commits take ${String(bytes)} bytes, more than can be sent`;
      return ok({ version: 1, became: "failed", detail });
    }
    const contents = await putContents(world, executor, {
      ...{ place, directory: placed.repository, scratch: `${path}.contents` },
      ...{ revisions: [to, `^${from}`], to: sentContentsPath(place.root, to) },
    });
    if (!contents.ok) return contents;
    const put = await executor.put(place, { from: { path }, to: sentCommitsPath(place.root, to) });
    if (!put.ok) return put;
    const taken = await haveTaken(mirrored, to);
    if (taken.ok && taken.value.became === "taken") {
      await noteSent(gitContext(world), of, { from, to });
    }
    return taken;
  } finally {
    files.remove(path);
  }
}

async function haveTaken(
  { executor, place, program, id }: MirroredSession,
  at: Oid,
): Promise<Result<CommitsTaken, ExecutorFailure>> {
  const words = ["far", "take-commits", id, `--at=${at}`];
  const command: FarCommand = farCommand(place, program, { cwd: program.repository, words });
  const asked = await askFar(executor, place, command, { timeoutMs: FAR_COPY_MS_MAX });
  if (!asked.ok) return asked;
  const { end, stdout } = asked.value;
  const taken = CommitsTaken.safeParse(jsonOf(stdout));
  if (taken.success) return ok(taken.data);
  const said = end.stderr.trim().split("\n").at(-1) ?? "";
  if (end.kind === "exited" && said !== "") {
    return ok({ version: 1, became: "failed", detail: said });
  }
  return fail(ExecutorUnreachable({ executor: executor.name, detail: "the connection ended" }));
}
