import { expect, test } from "vitest";
import { localTime } from "../../src/base/words/local-time.ts";
import { untilWords } from "../../src/base/words/until-words.ts";
import type { turnRecords } from "../../src/fs-protocol/records/turn-records.ts";
import { TurnLedger } from "../../src/session/state/turn-ledger.ts";
import { listedSession, sessionRows } from "../../src/views/next/session-rows.ts";
import { headline } from "../../src/views/report/headline.ts";
import { plainText } from "../../src/views/rows/row.ts";
import { screenFacts } from "../../src/views/screen/screen-of-status.ts";
import { statusRows } from "../../src/views/status/status-rows.ts";
import { statusView } from "../../src/views/status/status-view.ts";
import { renderCommon } from "../../src/views/timeline/render-common.ts";
import type { z } from "zod";
import { factsOf, json, type Story } from "../cli/session-states.ts";

type Limited = Extract<z.infer<(typeof turnRecords)[number]>, { readonly kind: "limited" }>;

const TIME = "2026-11-20T12:00:00.000Z";
const NOW_MS = Date.parse(TIME);
const MINUTE_MS = 60_000;

const HASH = "a".repeat(64);
const PLAN = json([{ name: "Parser", tasks: ["a"] }]);
const BUILDING: Story = {
  planner: [
    `plan.end unit=plan:b0:r0 seq=0 boundary=0 request=0 outcome=plan plan=${HASH} milestones=${PLAN}`,
  ],
  builder: [`plan.adopt seq=0 plan=${HASH} request=0 milestones=${PLAN}`],
};

function limited(leftMs: number, end: Limited["end"]): Limited {
  const until = new Date(NOW_MS + leftMs).toISOString();
  const reason = "claude is at its limit: You've hit your 5-hour limit";
  const hold = { kind: "limited", time: TIME, engine: "claude", cause: "limited" } as const;
  return { ...hold, until, end, human: 0, reason };
}

/** A session that builds with these engines, the first of which is left alone. */
function held(engines: readonly string[], record: Limited) {
  const facts = factsOf(BUILDING);
  const ledger = new TurnLedger();
  ledger.listener("builder").onRecord(record);
  const each = { planner: engines, builder: engines, reviewer: engines, tester: engines };
  const turns = { facts: ledger, engines: each, budget: { session: {}, milestone: {} } };
  return { ...facts, state: { ...facts.state, turns } };
}

/** The words of each place in which a session is shown. */
function shownBy(facts: ReturnType<typeof held>): Readonly<Record<string, string>> {
  const view = statusView(facts);
  const beside = {
    events: { first: 0, rows: [] },
    signs: {},
    nowMs: NOW_MS,
    said: [],
    tail: undefined,
  };
  return {
    status: plainText(statusRows(view)),
    screen: plainText(screenFacts(view, beside).notices),
    page: headline({ status: view, trouble: [] }).text,
    list: plainText(sessionRows([listedSession(facts)])),
  };
}

/** "15:42" */
function clockAt(leftMs: number): string {
  return localTime(new Date(NOW_MS + leftMs).toISOString()).slice(11, 16);
}

test("status, screen, page and list say until when an engine is at its limit, and who says so", () => {
  const leftMs = 110 * MINUTE_MS;
  const said = `claude is left alone until ${clockAt(leftMs)}, in 1h 50m; said by claude`;
  const shown = shownBy(held(["claude"], limited(leftMs, "said")));
  for (const words of Object.values(shown)) expect(words).toContain(said);
  expect(statusView(held(["claude"], limited(leftMs, "said"))).heldEngines).toEqual([
    {
      ...{ engine: "claude", cause: "limited", until: "2026-11-20T13:50:00.000Z", end: "said" },
      says: `until ${clockAt(leftMs)}, in 1h 50m; said by claude`,
    },
  ]);
});

test("a limit of one model is shown as that", () => {
  const leftMs = 110 * MINUTE_MS;
  const ofModel = { ...limited(leftMs, "said"), of: "model" } as const;
  const facts = held(["claude"], { ...ofModel, model: "opus" });
  // The builder asks for no model: it goes on.
  expect(statusView(facts)).toMatchObject({
    ...{ state: "RUNNING", heldEngines: [{ engine: "claude", model: "opus" }] },
  });
  const until = `alone until ${clockAt(leftMs)}, in 1h 50m; said by claude`;
  expect(shownBy(facts)["status"]).toContain(`claude with opus is left ${until}`);
  expect(renderCommon({ ...ofModel, model: "opus" })?.text).toContain(
    "leaves claude with opus alone",
  );
  const { list, ...shown } = shownBy(held(["claude"], ofModel));
  for (const words of [...Object.values(shown), list]) {
    expect(words).toContain(`claude with its usual model is left ${until}`);
  }
});

test("an end that is a guess is not said to be the engine's", () => {
  const words = `until ${clockAt(MINUTE_MS)}, in 1m 0s; a guess, because claude does not say when`;
  const { status = "" } = shownBy(held(["claude"], limited(MINUTE_MS, "guessed")));
  expect(status).toContain(words);
  expect(status).not.toContain("said by");
});

test("while another engine takes its turns, status, screen and list name the limit all the same", () => {
  const leftMs = 110 * MINUTE_MS;
  const facts = held(["claude", "codex"], limited(leftMs, "said"));
  expect(statusView(facts)).toMatchObject({ state: "RUNNING", hold: undefined });
  const { status, screen, list } = shownBy(facts);
  for (const words of [status, screen, list])
    expect(words).toContain(`claude is left alone until ${clockAt(leftMs)}, in 1h 50m; said by`);
});

test("a limit that is over is not shown", () => {
  const facts = held(["claude"], limited(-1, "said"));
  expect(statusView(facts).heldEngines).toEqual([]);
});

test("an end on another day is shown with its day", () => {
  const days = localTime(new Date(NOW_MS + 4 * 24 * 60 * MINUTE_MS).toISOString()).slice(0, 16);
  expect(untilWords(NOW_MS + 4 * 24 * 60 * MINUTE_MS, NOW_MS)).toBe(`until ${days}, in 4 days`);
});

test("the log says it as of the time of the record", () => {
  const leftMs = 110 * MINUTE_MS;
  expect(renderCommon(limited(leftMs, "said"))?.text).toBe(
    `leaves claude alone until ${clockAt(leftMs)}, in 1h 50m; said by claude: ` +
      "claude is at its limit: You've hit your 5-hour limit",
  );
});
