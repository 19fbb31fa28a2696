import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import {
  compareHomes,
  holdsRecords,
  type HomeFileDigest,
} from "../../../src/actions/move/compare-homes.ts";

type Texts = Readonly<Record<string, string>>;

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** The files of a home, as it is asked for them by who has others. */
function digests(texts: Texts, others: Texts): readonly HomeFileDigest[] {
  return Object.entries(texts).map(([path, text]) => {
    const other = others[path];
    const file = { path, bytes: text.length, sha256: digest(text) };
    const isLonger = other !== undefined && text.length > other.length;
    return isLonger ? { ...file, prefix: digest(text.slice(0, other.length)) } : file;
  });
}

function compared(ours: Texts, theirs: Texts, decides?: "one" | "other") {
  const pair = { one: digests(ours, theirs), other: digests(theirs, ours) };
  return compareHomes({ ...pair, decides });
}

const LOG = "logs/human.log";
const ROLE = "logs/builder.log";

describe("what a home has in comparison to another follows from its records", () => {
  test.each([
    ["the same", { [LOG]: "a\n" }, { [LOG]: "a\n" }, "same"],
    ["a beginning", { [LOG]: "a\n" }, { [LOG]: "a\nb\n" }, "behind"],
    ["all and more", { [LOG]: "a\nb\n" }, { [LOG]: "a\n" }, "ahead"],
    ["no log where the other has one", {}, { [LOG]: "a\n" }, "behind"],
    ["an empty log", { [LOG]: "" }, { [LOG]: "a\n" }, "behind"],
    ["another line", { [LOG]: "a\nc\n" }, { [LOG]: "a\nb\n" }, "forked"],
    ["another beginning", { [LOG]: "c\n" }, { [LOG]: "a\nb\n" }, "forked"],
    ["more of one log", { [LOG]: "a\nb\n", [ROLE]: "" }, { [LOG]: "a\n", [ROLE]: "r\n" }, "forked"],
    ["more in a revision", { "revision-1/logs/human.log": "a\n" }, {}, "ahead"],
  ] as const)("%s", (_what, ours, theirs, expected) => {
    expect(compared(ours, theirs)).toBe(expected);
  });
});

describe("files that hold no records", () => {
  const [ours, theirs] = [
    { [LOG]: "a\n", "TASKS.md": "old" },
    { [LOG]: "a\n", "TASKS.md": "new" },
  ];

  test("count at the home that decides", () => {
    expect(compared(ours, theirs, "other")).toBe("behind");
    expect(compared(ours, theirs, "one")).toBe("ahead");
    expect(compared(ours, theirs)).toBe("forked");
  });

  test("that one home lacks make a difference, too", () => {
    expect(compared({ [LOG]: "a\n" }, theirs, "other")).toBe("behind");
  });

  test("do not say that a home with fewer records has more", () => {
    expect(compared(ours, { ...theirs, [LOG]: "a\nb\n" }, "one")).toBe("behind");
  });

  test("and that a process printed do not count", () => {
    const printed = { ...ours, "logs/supervisor.out": "refused\n" };
    expect(compared(printed, ours)).toBe("same");
  });
});

test("records are in the logs of the session and of its revisions", () => {
  expect(holdsRecords("logs/tester.log")).toBe(true);
  expect(holdsRecords("revision-2/logs/human.log")).toBe(true);
  expect(holdsRecords("logs/quarantine.log")).toBe(false);
  expect(holdsRecords("PROGRESS.txt")).toBe(false);
  expect(holdsRecords("logs/turns/logs/human.log")).toBe(false);
});
