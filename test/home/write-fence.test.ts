import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { expect, test } from "vitest";
import { movedTo, refuseWrites, WriteFence } from "../../src/home/write-fence.ts";
import { ROLES, type Role } from "../../src/base/role.ts";
import { encodeRecord } from "../../src/fs-protocol/codec/record-codec.ts";
import { homeAt, revisionHome, roleLog, type Home } from "../../src/fs-protocol/home/home.ts";
import { placePath, type PlaceJson } from "../../src/fs-protocol/home/place-json.ts";
import { HumanRecord } from "../../src/fs-protocol/records/human-log.ts";
import { createHost } from "../../src/host/host.ts";
import { appendHuman } from "../../src/workspace/session/append-human.ts";
import { withAllLeases } from "../../src/workspace/session/session-leases.ts";
import { inProcessSession, type InProcessSession } from "../rig/in-process-session.ts";
import { MemoryFiles } from "../rig/memory-files.ts";
import { eventually } from "../rig/patience.ts";
import { SESSION } from "../rig/session.ts";

const TIME = "2026-11-20T12:00:00.000Z";
const HOME = homeAt("/repository/.wisp/sessions/demo");
const MIRRORS = { executor: "ssh:box", id: "one", root: "/there" };

function moved(id: string, to = "ssh:box"): string {
  return encodeRecord(HumanRecord, { kind: "moved", time: TIME, to, id });
}

function place(more: Partial<PlaceJson>): string {
  return JSON.stringify({ version: 1, repository: "/repository", state: "/state", ...more });
}

/** What the files of a home have; text in place of `place.json` may be anything. */
function written({ log = "", text }: { readonly log?: string; readonly text?: string }) {
  const files = new MemoryFiles();
  if (log !== "") files.write(HOME.humanLog, log);
  if (text !== undefined) files.write(placePath(HOME), text);
  return files;
}

test.each<[string, Parameters<typeof written>[0], string | undefined]>([
  ["never moved", {}, undefined],
  ["made elsewhere and never moved", { text: place({}) }, undefined],
  ["moved here", { log: moved("a", "here"), text: place({ moved: "a" }) }, undefined],
  ["moved away", { log: moved("a") }, "moved-away"],
  [
    "moved here and away",
    { log: moved("a") + moved("b"), text: place({ moved: "a" }) },
    "moved-away",
  ],
  ["taken over by a move that is not on record", { text: place({ moved: "b" }) }, "moved-away"],
  ["a mirror", { text: place({ mirrors: MIRRORS }) }, "mirror-is-read-only"],
  [
    "a mirror of what moved",
    { log: moved("a"), text: place({ mirrors: MIRRORS }) },
    "mirror-is-read-only",
  ],
  ["of unknown owner, its place.json being damaged", { text: "{" }, "moved-away"],
])(
  "a home that is %s, and its revisions, are written only if it owns the session",
  (_is, has, kind) => {
    const files = written(has);
    for (const home of [HOME, revisionHome(HOME, 1)]) {
      const allowed = refuseWrites(files, home);
      expect(allowed.ok ? undefined : allowed.failure.kind).toBe(kind);
    }
  },
);

test("where it moved is told, also if that is not known", () => {
  expect(movedTo(written({ log: moved("a") }), HOME)).toBe("ssh:box");
  expect(movedTo(written({ text: "{" }), HOME)).toBe("a place that is not known here");
  expect(movedTo(written({}), HOME)).toBeUndefined();
});

test("a fence that was open closes when another move is on record, and opens when the home owns it again", () => {
  const files = written({ log: moved("a"), text: place({ moved: "a" }) });
  const fence = new WriteFence(files, HOME);
  expect(fence.check().ok).toBe(true);
  files.write(HOME.humanLog, moved("a") + moved("b"));
  expect(fence.check().ok).toBe(false);
  files.write(placePath(HOME), place({ moved: "b" }));
  expect(fence.check().ok).toBe(true);
});

/** The home of a revision, as far as people write to it. */
function revisionOf(at: InProcessSession): Home {
  const home = revisionHome(at.home, 1);
  for (const directory of [home.logs, home.locks]) mkdirSync(directory, { recursive: true });
  return home;
}

test("once the session has moved, people neither write to a revision nor hold its leases", async () => {
  using at = inProcessSession();
  const home = revisionOf(at);
  const host = createHost();
  const [how, asked] = ["revise" as const, new Array<string>()];
  const parent = { id: "demo", revision: 1, how, asked, state: at.session.state };
  const session = { ...SESSION, state: at.session.state, parent };
  const say = () =>
    appendHuman({ host, env: {}, tell: () => undefined }, { home, session }, () => ({
      kind: "stop",
    }));
  expect(await say()).toMatchObject({ ok: true });
  writeFileSync(at.home.humanLog, moved("a"));
  const before = readFileSync(home.humanLog, "utf8");
  expect(await say()).toMatchObject({ ok: false, failure: { kind: "moved-away" } });
  const leased = await withAllLeases(host, home, () => Promise.resolve("done"));
  expect(leased).toMatchObject({ ok: false, failure: { kind: "moved-away" } });
  expect(readFileSync(home.humanLog, "utf8")).toBe(before);
});

/** Waits until a role's log is what it is while it waits. */
function started({ home }: InProcessSession, role: Role): Promise<void> {
  return eventually(() => {
    expect(readFileSync(roleLog(home, role), "utf8")).toContain("role.start");
  });
}

const NO_TURN = () => Promise.reject(new Error("a paused session has no turn"));

test.each(ROLES)("a %s that waits ends without a record when the session moves", async (role) => {
  using at = inProcessSession();
  writeFileSync(at.home.humanLog, encodeRecord(HumanRecord, { kind: "pause", time: TIME }));
  const { ended } = at.start(role, NO_TURN);
  await started(at, role);
  const log = readFileSync(roleLog(at.home, role));
  appendFileSync(at.home.humanLog, moved("a"));
  expect(await ended).toMatchObject({ kind: "moved-away", to: "ssh:box" });
  expect(readFileSync(roleLog(at.home, role))).toEqual(log);
});

test("a role of a revision ends without a record when the session that it revises moves", async () => {
  using at = inProcessSession();
  const home = revisionHome(at.home, 1);
  cpSync(at.home.directory, at.home.directory + ".copy", { recursive: true });
  renameSync(at.home.directory + ".copy", home.directory);
  writeFileSync(home.humanLog, encodeRecord(HumanRecord, { kind: "pause", time: TIME }));
  const revision = { ...at, home };
  const { ended } = at.start("builder", NO_TURN, home);
  await started(revision, "builder");
  const log = readFileSync(roleLog(home, "builder"));
  appendFileSync(at.home.humanLog, moved("a"));
  // The parent's folder is not watched by it: what wakes it is any change of its own.
  appendFileSync(
    home.humanLog,
    encodeRecord(HumanRecord, { kind: "restart", role: "tester", time: TIME }),
  );
  expect(await ended).toMatchObject({ kind: "moved-away" });
  expect(readFileSync(roleLog(home, "builder"))).toEqual(log);
});

test("a role records nothing of a turn during which the session moved", async () => {
  using at = inProcessSession();
  let log = "";
  const { ended } = at.start("planner", () => {
    log = readFileSync(roleLog(at.home, "planner"), "utf8");
    appendFileSync(at.home.humanLog, moved("a"));
    return { kind: "ended", status: "DONE", summary: "", text: "" };
  });
  expect(await ended).toMatchObject({ kind: "moved-away" });
  expect(log).toContain("turn.begin");
  expect(readFileSync(roleLog(at.home, "planner"), "utf8")).toBe(log);
});
