import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SessionJson } from "../../../src/fs-protocol/home/session-json.ts";
import { syncRemote } from "../../../src/agents/builder/remote/sync-remote.ts";
import { encodeUnit } from "../../../src/fs-protocol/records/unit-key.ts";
import { sessionRig, type RoleRig, type SessionRig } from "../role-rig.ts";

export const BRANCH = "wisp/demo";

export interface MovedRemote extends Disposable {
  readonly rig: SessionRig;
  readonly builder: RoleRig<"builder">;
  /** The bare repository. */
  readonly remote: string;
  /** Runs git as a colleague, in a clone of the remote. */
  readonly theirs: (...args: readonly string[]) => string;
  /** Commits as a colleague, and pushes to the session's branch; `force` overwrites that branch. */
  readonly theyPush: (file: string, text: string, force?: boolean) => string;
  /** A commit that appears on the session's branch here. */
  readonly wePublish: (file: string, text: string) => Promise<string>;
  readonly look: (mayMerge?: boolean) => Promise<void>;
  readonly pushes: () => readonly Record<string, unknown>[];
  readonly atRemote: () => string;
}

/**
 * A session whose branch is at a bare remote, and a colleague who has cloned that.
 *
 * @param parent of a revision: the session that it revises
 */
export async function movedRemote(
  verify: readonly (readonly string[])[] = [],
  parent?: SessionJson["parent"],
): Promise<MovedRemote> {
  const publish = { at: "boundary", remote: "origin" } as const;
  const rig = sessionRig({ verify, session: { publish, parent } });
  const { repository, git } = rig.at;
  const remote = join(repository, "..", "remote.git");
  const place = join(repository, "..", "theirs");
  execFileSync("git", ["init", "-q", "--bare", remote]);
  git("remote", "add", "origin", remote);
  const builder = rig.role("builder");
  const theirs = (...args: readonly string[]) =>
    execFileSync("git", args, { cwd: place, encoding: "utf8", stdio: "pipe" }).trim();
  const look: MovedRemote["look"] = async (mayMerge = false) => {
    const state = await rig.at.state();
    const unit = encodeUnit({ kind: "remote", n: state.builder.remote.ended + 1 });
    await syncRemote(builder.context, state, { kind: "remote", unit, mayMerge });
  };
  await look();
  execFileSync("git", ["clone", "-q", "--branch", BRANCH, remote, place], { stdio: "pipe" });
  theirs("config", "user.name", "Grace");
  theirs("config", "user.email", "grace@example.invalid");
  return {
    rig,
    builder,
    remote,
    theirs,
    theyPush: (file, text, force = false) => {
      writeFileSync(join(place, file), text);
      theirs("add", "-A");
      theirs("commit", "-qm", `theirs: ${file}`);
      theirs("push", "-q", ...(force ? ["--force"] : []), "origin", BRANCH);
      return theirs("rev-parse", "HEAD");
    },
    wePublish: async (file, text) => {
      const clone = await builder.context.clone();
      await clone.syncTo();
      writeFileSync(join(clone.directory, file), text);
      const made = await clone.commitAll(`ours: ${file}`);
      if (!made.ok || made.value === undefined) throw new Error("no commit");
      await clone.publish(made.value);
      return made.value;
    },
    look,
    pushes: () => builder.recordsOf("remote.push"),
    atRemote: () => git("ls-remote", "origin", `refs/heads/${BRANCH}`).split("\t")[0] ?? "",
    [Symbol.dispose]: () => {
      rig[Symbol.dispose]();
    },
  };
}
