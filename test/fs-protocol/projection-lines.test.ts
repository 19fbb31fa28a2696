import fc from "fast-check";
import { expect, test } from "vitest";
import { SEAL } from "../../src/base/ports/files.ts";
import type { Result } from "../../src/base/result.ts";
import {
  decodeAnsweredMilestone,
  encodeAnsweredMilestone,
} from "../../src/fs-protocol/projections/answered-milestone.ts";
import {
  decodeRevision,
  encodeRevision,
  type RevisionLine,
} from "../../src/fs-protocol/projections/revisions-log.ts";
import {
  decodeDone,
  encodeDone,
  type DoneLine,
} from "../../src/fs-protocol/projections/builder-done.ts";
import {
  decodeItem,
  encodeItem,
  type ItemLine,
} from "../../src/fs-protocol/projections/items-md.ts";
import {
  decodeMilestone,
  encodeMilestone,
} from "../../src/fs-protocol/projections/milestones-log.ts";
import {
  decodeReviewedCommit,
  encodeReviewedCommit,
} from "../../src/fs-protocol/projections/reviewer-checkpoint.ts";
import { FinalVerify } from "../../src/fs-protocol/records/final-verify.ts";
import {
  decodeFinalPass,
  encodeFinalPass,
} from "../../src/fs-protocol/projections/tester-final.ts";
import { anyOid, anyText, sha1Oid, sha256Oid, someText } from "../rig/arbitrary-text.ts";
import { sha } from "../rig/records.ts";

/** The lines of one projection: how they are written and read, and their possible values. */
interface Projected<T> {
  readonly any: fc.Arbitrary<T>;
  readonly encode: (value: T) => string;
  readonly decode: (line: string) => Result<T, unknown>;
}

/** The claims that must hold for a codec. */
function claims<T>({ any, encode, decode }: Projected<T>) {
  return {
    expectComesBack: () => {
      fc.assert(
        fc.property(any, (value) => {
          const line = encode(value);
          expect(line.indexOf("\n")).toBe(line.length - 1);
          expect(line).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
          expect(decode(line.slice(0, -1))).toEqual({ ok: true, value });
        }),
        { numRuns: 1_000 },
      );
    },
    expectSealedIsNone: () => {
      fc.assert(
        fc.property(any, fc.nat(), (value, at) => {
          const line = encode(value);
          const fragment = line.slice(0, 1 + (at % (line.length - 1)));
          expect(decode(`${fragment}${SEAL}`.slice(0, -1)).ok).toBe(false);
        }),
        { numRuns: 1_000 },
      );
    },
    expectNeverThrows: () => {
      fc.assert(
        fc.property(anyText, (line) => {
          expect(() => decode(line)).not.toThrow();
        }),
      );
    },
  };
}

/** What a later version may add after the known fields. */
const anyMore = fc.array(
  someText.map((text) => text.replace(/[\n|]/gu, "")),
  { minLength: 1, maxLength: 3 },
);

/** A line with more fields; if its last field is optional and absent, an empty one takes its place. */
function withMore(line: string, more: readonly string[], fieldsMin: number): string {
  const fields = line.slice(0, -1).split("|");
  while (fields.length < fieldsMin) fields.push("");
  return [...fields, ...more].join("|");
}

test("ignores additional fields, except on a torn line", () => {
  expectPassesOver({
    any: milestones,
    ...{ fieldsMin: 3, encode: encodeMilestone, decode: decodeMilestone },
  });
  expectPassesOver({
    any: fc.record({ sha: anyOid, gaveUp: flag }, own),
    ...{ fieldsMin: 2, encode: encodeReviewedCommit, decode: decodeReviewedCommit },
  });
  expectPassesOver({
    any: fc.record({ name: someText, gaveUp: flag }, own),
    ...{ fieldsMin: 2, encode: encodeAnsweredMilestone, decode: decodeAnsweredMilestone },
  });
  expectPassesOver({
    any: fc.record({ n: fc.integer({ min: 1, max: 999 }), ...passFields }, own),
    ...{ fieldsMin: 4, encode: encodeFinalPass, decode: decodeFinalPass },
  });
  expectPassesOver({
    any: doneLines,
    ...{ fieldsMin: 3, encode: encodeDone, decode: decodeDone },
  });
  expectPassesOver({
    any: revisionLines,
    ...{ fieldsMin: 4, encode: encodeRevision, decode: decodeRevision },
  });
});

function expectPassesOver<T>(form: Projected<T> & { readonly fieldsMin: number }): void {
  const { any, encode, decode, fieldsMin } = form;
  fc.assert(
    fc.property(any, anyMore, (value, more) => {
      const line = withMore(encode(value), more, fieldsMin);
      expect(decode(line)).toEqual({ ok: true, value });
      expect(decode(`${line}${SEAL}`.slice(0, -1)).ok).toBe(false);
    }),
  );
}

const flag = fc.boolean();
const passFields = {
  at: anyOid,
  gaveUp: flag,
  verify: fc.option(fc.constantFrom(...FinalVerify.options), { nil: undefined }),
};
const anyNumber = fc.nat({ max: 999 });
const own = { noNullPrototype: true } as const;
const sameLength = fc.oneof(fc.tuple(sha1Oid, sha1Oid), fc.tuple(sha256Oid, sha256Oid));
const milestones = sameLength.chain(([start, end]) =>
  fc.record({ name: someText, start: fc.constant(start), end: fc.constant(end) }, own),
);
const doneLines: fc.Arbitrary<DoneLine> = fc.oneof(
  fc.record({ kind: fc.constantFrom("final", "complete"), n: anyNumber, sha: anyOid }, own),
  fc.record(
    { kind: fc.constantFrom("stuck", "reopened"), n: anyNumber, sha: anyOid, reason: anyText },
    own,
  ),
);
const TIMES = { noInvalidDate: true, min: new Date("2000-01-01"), max: new Date("2100-01-01") };
const revisionLines: fc.Arbitrary<RevisionLine> = fc.record(
  {
    number: fc.integer({ min: 1, max: 999_999 }),
    completedAt: fc.date(TIMES).map((date) => date.toISOString()),
    itemCount: fc.integer({ min: 0, max: 999 }),
    path: someText,
  },
  own,
);
const by = fc.constantFrom("review:Parsing:abc", "human:3", "commit:abc:re1", "test:a]%20b:abc");
const itemLines: fc.Arbitrary<ItemLine> = fc.oneof(
  fc.record(
    {
      kind: fc.constant("opened" as const),
      id: someText,
      level: fc.constantFrom("blocking", "warning", "suggestion"),
      file: fc.oneof(someText, fc.constantFrom("-", "a:1", "a b.js", "src/[id].ts")),
      line: fc.integer({ min: 1, max: 999_999 }),
      brief: fc.oneof(someText, fc.constantFrom("a [review:b:c]", "x]", "a | b", " a ")),
      by,
    },
    { ...own, requiredKeys: ["kind", "id", "level", "file", "brief", "by"] },
  ),
  fc.record(
    {
      kind: fc.constant("opened" as const),
      id: someText,
      level: fc.constant("blocking"),
      brief: someText,
      by,
    },
    own,
  ),
  fc.record(
    {
      kind: fc.constant("judged" as const),
      state: fc.constantFrom("REOPENED", "UNJUDGED", "CLOSED", "DISMISSED"),
      id: someText,
      attempt: anyNumber,
      sha: anyOid,
      by,
    },
    own,
  ),
  fc.record({ kind: fc.constant("dismissed" as const), id: someText, by }, own),
);

test.each([
  ["milestones.log", claims({ any: milestones, encode: encodeMilestone, decode: decodeMilestone })],
  [
    "reviewer.checkpoint",
    claims({
      any: fc.record({ sha: anyOid, gaveUp: flag }, own),
      encode: encodeReviewedCommit,
      decode: decodeReviewedCommit,
    }),
  ],
  [
    "reviewer.milestone and tester.milestone",
    claims({
      any: fc.record({ name: someText, gaveUp: flag }, own),
      encode: encodeAnsweredMilestone,
      decode: decodeAnsweredMilestone,
    }),
  ],
  [
    "tester.final",
    claims({
      any: fc.record({ n: anyNumber.map((n) => n + 1), ...passFields }, own),
      encode: encodeFinalPass,
      decode: decodeFinalPass,
    }),
  ],
  ["revisions.log", claims({ any: revisionLines, encode: encodeRevision, decode: decodeRevision })],
  ["builder.done", claims({ any: doneLines, encode: encodeDone, decode: decodeDone })],
  ["REVIEWS.md and BUGS.md", claims({ any: itemLines, encode: encodeItem, decode: decodeItem })],
])(
  "reads lines of %s back unchanged, and refuses a sealed fragment",
  (_, { expectComesBack, expectSealedIsNone, expectNeverThrows }) => {
    expectComesBack();
    expectSealedIsNone();
    expectNeverThrows();
  },
);

test("writes ordinary names, places and briefs as they are", () => {
  const [start, end] = [sha(1), sha(2)];
  expect(encodeMilestone({ name: "API: \u{1F600} v2", start, end })).toBe(
    `API: \u{1F600} v2|${start}|${end}\n`,
  );
  const line: ItemLine = {
    kind: "opened",
    id: "COR-7f3a91",
    level: "blocking",
    file: "src/parse.js",
    line: 12,
    brief: "The last field is dropped",
    by: `review:Parsing:${end}`,
  };
  expect(encodeItem(line)).toBe(
    `OPEN COR-7f3a91 blocking src/parse.js:12 The last field is dropped [review:Parsing:${end}]\n`,
  );
});

test("percent-encodes a name that would break a line", () => {
  expect(encodeAnsweredMilestone({ name: "a|b\n100%\u202e", gaveUp: true })).toBe(
    "a%7Cb%0A100%25%E2%80%AE|gaveup\n",
  );
});

test("hostile text cannot add a second line or another state", () => {
  const line = encodeItem({
    kind: "dismissed",
    id: "X [human:1]\nCLOSED COR-000001",
    by: "human:1",
  });
  expect(line).toBe("DISMISSED X%20[human%3A1]%0ACLOSED%20COR-000001 [human:1]\n");
});

test.each([
  ["milestones.log", decodeMilestone, `a|${sha(1)}`],
  ["milestones.log", decodeMilestone, `|${sha(1)}|${sha(2)}`],
  ["milestones.log", decodeMilestone, `a|${sha(1)}|${sha(2).slice(1)}`],
  ["milestones.log", decodeMilestone, `a|${sha(1)}|${sha(2)}${"0".repeat(24)}`],
  ["milestones.log", decodeMilestone, `a|${sha(1)}|${sha(2).toUpperCase().replace("2", "A")}`],
  ["milestones.log", decodeMilestone, `100%|${sha(1)}|${sha(2)}`],
  ["reviewer.checkpoint", decodeReviewedCommit, "abc1234"],
  ["reviewer.checkpoint", decodeReviewedCommit, `${sha(1)}|gone`],
  ["reviewer.milestone", decodeAnsweredMilestone, "|gaveup"],
  ["reviewer.milestone", decodeAnsweredMilestone, "a|"],
  ["reviewer.milestone", decodeAnsweredMilestone, "a|gone|more"],
  ["reviewer.milestone", decodeAnsweredMilestone, "a%"],
  ["tester.final", decodeFinalPass, `0|${sha(1)}`],
  ["tester.final", decodeFinalPass, "1"],
  ["tester.final", decodeFinalPass, `1|${sha(1)}|gone`],
  ["revisions.log", decodeRevision, `1|2026-11-20T14:03:00.000Z|3`],
  ["revisions.log", decodeRevision, `0|2026-11-20T14:03:00.000Z|3|revision-1`],
  ["revisions.log", decodeRevision, `1|yesterday|3|revision-1`],
  ["revisions.log", decodeRevision, `1|2026-11-20T14:03:00.000Z|-3|revision-1`],
  ["builder.done", decodeDone, `final|1`],
  ["builder.done", decodeDone, `final|-1|${sha(1)}`],
  ["builder.done", decodeDone, `stuck|1|${sha(1)}`],
  ["builder.done", decodeDone, `stuck|1|${sha(1)}|100%`],
  ["builder.done", decodeDone, `ended|1|${sha(1)}`],
  ["REVIEWS.md", decodeItem, "# Reviews"],
  ["REVIEWS.md", decodeItem, "OPEN COR-7f3a91 severe - It is wrong [human:1]"],
  ["REVIEWS.md", decodeItem, "OPEN COR-7f3a91 blocking a:0 It is wrong [human:1]"],
  ["REVIEWS.md", decodeItem, "OPEN COR-7f3a91 blocking a:1:2 It is wrong [human:1]"],
  ["REVIEWS.md", decodeItem, "OPEN COR-7f3a91 blocking - It is wrong"],
  ["REVIEWS.md", decodeItem, `OPEN COR-7f3a91 attempt 1 at ${sha(1)}`],
  ["REVIEWS.md", decodeItem, `FIXED COR-7f3a91 attempt 1 at ${sha(1)} [human:1]`],
  ["REVIEWS.md", decodeItem, "- [ ] OPEN COR-7f3a91 blocking - It is wrong [human:1]"],
])("%s: %o refuses the line %s", (_, decode, line) => {
  expect(decode(line)).toMatchObject({ ok: false, failure: { kind: "bad-line" } });
});
