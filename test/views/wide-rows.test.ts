import { expect, test } from "vitest";
import { costRows } from "../../src/views/cost/cost-rows.ts";
import { findingsRows } from "../../src/views/findings/findings-rows.ts";
import { listedSession, sessionRows } from "../../src/views/next/session-rows.ts";
import { takeCells, widthOf } from "../../src/views/rows/cells.ts";
import { plainText, row, type Row } from "../../src/views/rows/row.ts";
import { table } from "../../src/views/rows/table.ts";
import { shortName } from "../../src/views/status/status-rows.ts";
import { factsOf } from "../cli/session-states.ts";

/** The cell of the terminal in which a text begins. */
function cellOf(text: string, whole: Row): number {
  const line = plainText([whole]);
  expect(line).toContain(text);
  return widthOf(line.slice(0, line.indexOf(text)));
}

const SPENT = {
  ...{ turns: 3, turnsOfUnknownTokens: 0, turnsOfUnknownCost: 0, costUsd: 1, durationMs: 1_000 },
  tokens: { input: 1_500, output: 10, cached: 0 },
};

test("aligns columns after names with CJK, emoji and combining marks", () => {
  const rows = table(["API", "日本語", "👍🏽 ok", "cafe\u0301"].map((name) => [name, "|"]));
  expect(rows.map((one) => cellOf("|", one))).toEqual([8, 8, 8, 8]);
  const right = table(
    [
      ["日本", "7"],
      ["A", "10"],
    ],
    [{}, { isRight: true }],
  );
  expect(plainText(right)).toBe("日本   7\nA     10");
});

test("cuts a text between graphemes, however many combining marks they have", () => {
  const letters = `\u0436${"\u0301".repeat(39)}`.repeat(100);
  expect(takeCells(letters, 3)).toBe(`\u0436${"\u0301".repeat(39)}`.repeat(3));
  expect(takeCells("日本語", 5)).toBe("日本");
  expect(takeCells("a👍🏽b", 2)).toBe("a");
  expect(takeCells("a👍🏽b", 3)).toBe("a👍🏽");
  expect(takeCells("👩‍👩‍👧x", 2)).toBe("👩‍👩‍👧");
  expect(takeCells("🇩🇪🇫🇷", 3)).toBe("🇩🇪");
  expect(takeCells("cafe\u0301s", 4)).toBe("cafe\u0301");
  expect(takeCells("abc", 0)).toBe("");
  expect(takeCells("abc", -1)).toBe("");
});

test("all rows of a cost table are equally wide, whatever its milestones are called", () => {
  const names = ["API", "請求書を作成する", "Rockets 🚀", "日本".repeat(40)];
  const rows = costRows({
    ...{ schema: "wisp.cost/1", session: "api", by: "milestone", open: 0, budget: [] },
    ...{ rows: names.map((name) => ({ name, ...SPENT })), total: SPENT },
  });
  const widths = rows.map((one) => widthOf(plainText([one])));
  expect(new Set(widths).size).toBe(1);
  expect(plainText(rows)).toContain(`${"日本".repeat(10)} `);
});

test("cleans findings with wide characters and keeps their columns aligned", () => {
  const finding = {
    ...({ kind: "finding", reviewer: "r", category: "c", issue: "", suggestion: "" } as const),
    ...{ command: undefined, output: undefined, fixes: [], file: undefined, line: undefined },
    ...({ isOpen: true, isBlocking: true, level: "blocking" } as const),
    ...{ dismissal: undefined, refusal: undefined },
  };
  const rows = findingsRows([
    { ...finding, id: "COR-1", state: "open", brief: "請求書 \u001b[2Jが壊れる" },
    { ...finding, id: "COR-22", state: "dismissed", brief: "🚀 crashes" },
  ]);
  const [first = [], second = []] = rows;
  expect(cellOf("請求書 が", first)).toBe(cellOf("🚀", second));
});

test("aligns sessions whose branches have wide characters", () => {
  const facts = factsOf({});
  const listed = ["wisp/api", "wisp/請求書", "wisp/🚀"].map((branch) =>
    listedSession({ ...facts, session: { ...facts.session, branch } }),
  );
  const rows = sessionRows(listed, [
    { session: "日本語のセッション", says: "cannot be read", branch: "wisp/x", ageMs: 1_000 },
  ]);
  const cells = rows.map((one) => cellOf("wisp/", one));
  expect(new Set(cells).size).toBe(1);
});

test("cleans the name of a milestone and cuts it to its cells in a status", () => {
  expect(shortName("a".repeat(48))).toBe("a".repeat(48));
  expect(shortName("a".repeat(49))).toBe(`${"a".repeat(47)}…`);
  expect(shortName("日本語".repeat(30))).toBe(`${"日本語".repeat(30).slice(0, 23)}…`);
  expect(shortName("\u001b[2J日本\n\u202e語")).toBe("日本 語");
  expect(widthOf(shortName("🚀".repeat(60)))).toBeLessThanOrEqual(48);
  expect(plainText([row(shortName("👍🏽".repeat(60)))])).not.toMatch(/\p{Cs}/u);
});
