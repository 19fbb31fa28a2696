import { GitFailure } from "../../src/base/ports/repo.ts";
import { expect, test } from "vitest";
import { need } from "../../src/base/fatal.ts";
import type { Oid } from "../../src/base/oid.ts";
import type { Hub } from "../../src/base/ports/repo.ts";
import { fail, ok } from "../../src/base/result.ts";
import { BuilderRecord } from "../../src/fs-protocol/records/builder-log.ts";
import { encodeUnit } from "../../src/fs-protocol/records/unit-key.ts";
import { homeAt, roleLog } from "../../src/fs-protocol/home/home.ts";
import { HumanRecord } from "../../src/fs-protocol/records/human-log.ts";
import { DEFAULT_POLICY } from "../rig/default-policy.ts";
import { encodeRecord } from "../../src/fs-protocol/codec/record-codec.ts";
import { ReviewerRecord } from "../../src/fs-protocol/records/reviewer-log.ts";
import { createSessionReader } from "../../src/session/state/session-reader.ts";
import { MemoryFiles } from "../rig/memory-files.ts";
import { builder, human, reviewer, sha, timeAt } from "../rig/records.ts";
import { SESSION } from "../rig/session.ts";

const HOME = homeAt("/repository/.wisp/sessions/demo");

/** A branch that a test moves. */
class TestHub implements Hub {
  readonly directory = "/repository";
  commitsOf: readonly Oid[] | undefined = [];
  failure: GitFailure | undefined;
  readonly asked: string[] = [];
  /** Called when the branch is read. */
  looked: () => void = () => undefined;

  async head(): Promise<Oid | undefined> {
    this.looked();
    return this.commitsOf === undefined ? undefined : (this.commitsOf.at(-1) ?? SESSION.base);
  }

  async commits(base: Oid, head: Oid) {
    this.asked.push(`${base}..${head}`);
    return this.failure === undefined ? ok(this.commitsOf ?? []) : fail(this.failure);
  }
}

function rig() {
  const files = new MemoryFiles();
  const hub = new TestHub();
  const reader = createSessionReader(files, hub, HOME, SESSION);
  const append = {
    builder: (record: BuilderRecord) =>
      files.append(roleLog(HOME, "builder"), Buffer.from(encodeRecord(BuilderRecord, record))),
    reviewer: (record: ReviewerRecord) =>
      files.append(roleLog(HOME, "reviewer"), Buffer.from(encodeRecord(ReviewerRecord, record))),
    human: (record: HumanRecord) =>
      files.append(HOME.humanLog, Buffer.from(encodeRecord(HumanRecord, record))),
  };
  const read = async () => need(await reader.read());
  return { files, hub, reader, append, read };
}

test("a session without any records is at its beginning", async () => {
  const { read, hub } = rig();
  const state = await read();
  expect(state.builder.stage.kind).toBe("plan");
  expect(state.human.events).toEqual([]);
  expect(state.policy).toEqual(DEFAULT_POLICY);
  expect(state.branch).toMatchObject({ base: SESSION.base, head: SESSION.base, commits: [] });
  expect(hub.asked).toEqual([`${SESSION.base}..${SESSION.base}`]);
});

test("each read returns the current content of every log", async () => {
  const { append, read } = rig();
  append.builder(builder.adopt({ A: ["one"] }));
  append.reviewer(reviewer.commit(1));
  append.human(human.update(1));
  expect((await read()).builder.stage.kind).toBe("build");
  append.builder(builder.halt());
  const state = await read();
  expect(state.builder.stage.kind).toBe("halt");
  expect(state.reviewer.checkpoint).toBe(sha(1));
  expect(state.human.updates).toBe(1);
});

test("an answer that the builder acted on is read, also if nothing said that human.log has changed", async () => {
  const { append, reader } = rig();
  const unit = encodeUnit({ kind: "base", at: SESSION.base });
  const end = { kind: "base.end", time: timeAt(1), unit, at: SESSION.base } as const;
  append.builder({ ...end, outcome: "needs_input", question: "builder-1", ask: "Red?" });
  need(await reader.read());
  append.human(human.answer("builder-1", "again"));
  append.builder({ ...end, outcome: "judged" });
  const [log] = reader.logs.filter(({ path }) => path === roleLog(HOME, "builder"));
  log?.touch();
  expect([...need(await reader.readOn()).human.answers]).toEqual([["builder-1", "again"]]);
});

test("the branch is read after the logs: it holds every commit that they name", async () => {
  const { append, hub, read } = rig();
  await read();
  hub.looked = () => {
    // Commits and records that arrive while the branch is read belong to the next read.
    hub.looked = () => undefined;
    hub.commitsOf = [sha(1)];
    append.reviewer(reviewer.commit(1));
  };
  const first = await read();
  expect(first.branch.commits).toEqual([sha(1)]);
  expect(first.reviewer.checkpoint).toBeUndefined();
  const second = await read();
  expect(second.branch.places.get(second.reviewer.checkpoint ?? "")).toBe(1);
});

test("commits on the branch before the logs were read are distinguished from later ones", async () => {
  const { hub, read } = rig();
  hub.commitsOf = [sha(1), sha(2)];
  expect((await read()).branch.settled).toBe(2);
  hub.looked = () => {
    hub.commitsOf = [sha(1), sha(2), sha(3)];
  };
  expect((await read()).branch).toMatchObject({ settled: 2, head: sha(3) });
  expect((await read()).branch.settled).toBe(3);
  hub.commitsOf = [sha(9)];
  hub.looked = () => undefined;
  expect((await read()).branch.settled).toBeLessThanOrEqual(1);
});

test("git is asked for commits only when the branch has moved", async () => {
  const { hub, read } = rig();
  hub.commitsOf = [sha(1)];
  await read();
  const before = (await read()).branch;
  expect(hub.asked).toHaveLength(1);
  hub.commitsOf = [sha(1), sha(2)];
  const after = (await read()).branch;
  expect(hub.asked).toHaveLength(2);
  expect([before.commits.length, after.commits.length]).toEqual([1, 2]);
});

test("a deleted branch has no head, and is read again when it returns", async () => {
  const { hub, read } = rig();
  hub.commitsOf = [sha(1)];
  await read();
  hub.commitsOf = undefined;
  expect((await read()).branch).toMatchObject({ head: undefined, commits: [] });
  hub.commitsOf = [sha(1)];
  expect((await read()).branch.head).toBe(sha(1));
});

test("an unreadable file is a failure, and the next read continues", async () => {
  const { append, files, hub, reader, read } = rig();
  append.builder(builder.adopt({ A: ["one"] }));
  files.fault = () => "EIO";
  expect(await reader.read()).toMatchObject({ ok: false, failure: { kind: "file", errno: "EIO" } });
  files.fault = () => undefined;
  hub.commitsOf = [sha(1)];
  hub.failure = GitFailure({ operation: "log", directory: "/repository", message: "no" });
  expect(await reader.read()).toEqual({ ok: false, failure: hub.failure });
  hub.failure = undefined;
  expect((await read()).builder.plan).toHaveLength(1);
});

test("skipped lines are reported with their file and place", async () => {
  const { files, append, reader, read } = rig();
  append.human({ kind: "pause", time: timeAt(0) });
  files.append(HOME.humanLog, Buffer.from("stop!\n"));
  files.append(roleLog(HOME, "tester"), Buffer.from("what?\n"));
  expect((await read()).human.paused).toBe(true);
  expect(reader.quarantined().map(({ path, lengthBytes }) => [path, lengthBytes])).toEqual([
    [roleLog(HOME, "tester"), 6],
    [HOME.humanLog, 6],
  ]);
});
