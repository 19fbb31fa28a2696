import { expect, test } from "vitest";
import { LOG_NAMES } from "../../src/base/role.ts";
import { logPath } from "../../src/fs-protocol/home/home.ts";
import { plainText } from "../../src/views/rows/row.ts";
import { eventRows, eventView } from "../../src/views/timeline/event-view.ts";
import { commitStory } from "../../src/views/why/commit-story.ts";
import { whyRows } from "../../src/views/why/why-view.ts";
import { itemsNamedIn, itemStory } from "../../src/views/why/item-story.ts";
import { milestoneNames } from "../../src/views/why/known-session.ts";
import { milestoneStory } from "../../src/views/why/milestone-story.ts";
import { commitsNamedIn } from "../../src/views/why/named-in-session.ts";
import { unreadWords } from "../../src/workspace/session/open-records.ts";
import type { MemoryFiles } from "../rig/memory-files.ts";
import { Random } from "../rig/random.ts";
import { HOME, knownFrom, writtenSession } from "../rig/written-session.ts";

const CUTS = 200;
const SEED = 20261120;

/** The logs that the written session has. */
const LOGS = LOG_NAMES.map((log) => logPath(HOME, log)).filter(
  (path) => writtenSession().stat(path) !== undefined,
);

/** Every explanation of what the files name, as text. */
function explanations(files: MemoryFiles): readonly string[] {
  const { known, unread } = knownFrom(files);
  const about = {
    ...({ schema: "wisp.why/1", asked: "it", session: "demo", branch: "wisp/demo" } as const),
    ...{ searched: ["demo"], unread: unread.map(unreadWords) },
  };
  const stories = [
    ...[...commitsNamedIn(known)].map((sha) => {
      const story = commitStory(known, sha, undefined);
      return { ...about, ...({ kind: "commit", line: null, sha, git: null, story } as const) };
    }),
    ...[...itemsNamedIn(known).keys()].flatMap((id) => {
      const story = itemStory(known, id);
      return story === undefined ? [] : [{ ...about, kind: "finding", story } as const];
    }),
    ...milestoneNames(known).map((name) => {
      return { ...about, kind: "milestone", story: milestoneStory(known, name) } as const;
    }),
  ];
  return stories.map((story) => plainText(whyRows(story)));
}

const GAPS = "The record has gaps, so there may be more than is told here";

test("200 random cuts of logs lose only what was cut, and a cut within a line is told everywhere", () => {
  const random = new Random(SEED);
  const whole = knownFrom(writtenSession()).records.map((entry) => JSON.stringify(entry));
  for (let n = 0; n < CUTS; n += 1) {
    const files = writtenSession();
    const path = LOGS[random.below(LOGS.length)] ?? "";
    const size = random.below(files.bytesOf(path).length + 1);
    files.cut(path, size);
    const { records, unread, known } = knownFrom(files);
    expect(records.map((entry) => JSON.stringify(entry))).toEqual(
      whole.filter((entry) => records.some((one) => JSON.stringify(one) === entry)),
    );
    const isTorn = size > 0 && files.textOf(path).at(-1) !== "\n";
    expect({ path, size, gaps: unread.length > 0 }).toEqual({ path, size, gaps: isTorn });
    for (const text of explanations(files)) expect(text.includes(GAPS)).toBe(isTorn);
    // No item is closed, and no milestone ended, without the record that says so.
    for (const id of itemsNamedIn(known).keys()) {
      const isClosed = records.some(
        ({ record }) =>
          (record.kind === "verify.end" && record.id === id && record.verdict === "closed") ||
          (record.kind === "adopt.end" && record.dismiss === id),
      );
      if (!isClosed) expect(itemStory(known, id)?.state).toBe("open");
    }
    if (known.ended.length === 0) {
      for (const name of milestoneNames(known))
        expect(milestoneStory(known, name).range).toBeNull();
    }
  }
});

test("200 random bytes overwritten in logs never crash, and a line that became none is told", () => {
  const random = new Random(SEED + 1);
  const count = knownFrom(writtenSession()).records.length;
  for (let n = 0; n < CUTS; n += 1) {
    const files = writtenSession();
    const path = LOGS[random.below(LOGS.length)] ?? "";
    const bytes = Buffer.from(files.bytesOf(path));
    bytes[random.below(bytes.length)] = random.below(256);
    files.write(path, bytes);
    const { records, unread } = knownFrom(files);
    if (records.length < count) expect({ n, gaps: unread.length > 0 }).toEqual({ n, gaps: true });
    for (const entry of records) {
      eventRows(entry);
      JSON.stringify(eventView(entry));
    }
    for (const text of explanations(files)) expect(text.includes(GAPS)).toBe(unread.length > 0);
  }
});
