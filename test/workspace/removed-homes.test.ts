import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { sessionCopyPath } from "../../src/fs-protocol/home/copy-path.ts";
import { homeAt } from "../../src/fs-protocol/home/home.ts";
import type { SessionJson } from "../../src/fs-protocol/home/session-json.ts";
import { createHost } from "../../src/host/host.ts";
import { removedRevisions, removedSessions } from "../../src/workspace/removed-homes.ts";
import { sessionsDirectory } from "../../src/workspace/sessions.ts";
import { stateDirectory } from "../../src/workspace/state-directory.ts";
import { SESSION } from "../rig/session.ts";

let root: string;
let repository: string;
let env: Readonly<Record<string, string>>;
const host = createHost();

/** A session of which only the copy in its state directory is left. */
function removed(id: string, parent?: SessionJson): SessionJson {
  const state =
    parent === undefined
      ? stateDirectory(host.directories, env, { repository, id })
      : join(parent.state, "revision-1");
  const session = { ...SESSION, id, branch: `wisp/${id}`, repository, state };
  const made: SessionJson =
    parent === undefined
      ? session
      : {
          ...session,
          parent: { id: parent.id, revision: 1, how: "revise", asked: [], state: parent.state },
        };
  const copy = sessionCopyPath(made);
  mkdirSync(dirname(copy), { recursive: true });
  writeFileSync(copy, JSON.stringify(made));
  return made;
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "wisp-removed-"));
  repository = join(root, "repository");
  mkdirSync(join(repository, ".git"), { recursive: true });
  env = { XDG_STATE_HOME: join(root, "state") };
});

afterEach(() => {
  rmSync(root, { recursive: true });
});

test("only the removed revisions of the session itself are found for it", () => {
  const one = removed("one");
  const two = removed("two");
  removed("one/revision-1", one);
  removed("two/revision-1", two);
  const world = { host, env, cwd: repository };
  const ids = (found: readonly { readonly session: SessionJson }[]) =>
    found.map(({ session }) => session.id);
  expect(ids(removedRevisions(world, one))).toEqual(["one/revision-1"]);
  const all = ["one", "one/revision-1", "two", "two/revision-1"];
  expect(ids(removedSessions(world)).toSorted()).toEqual(all);
  const home = homeAt(join(sessionsDirectory(repository), "one/revision-1"));
  mkdirSync(home.directory, { recursive: true });
  writeFileSync(home.sessionJson, JSON.stringify({ ...one, id: "one/revision-1" }));
  expect(ids(removedRevisions(world, one))).toEqual([]);
});

test("a state directory outside of the repository's own is not looked into", () => {
  const one = removed("one");
  removed("one/revision-1", one);
  const world = { host, env: { XDG_STATE_HOME: join(root, "other") }, cwd: repository };
  expect(removedRevisions(world, one)).toEqual([]);
});
