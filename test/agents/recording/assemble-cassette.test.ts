import { expect, test } from "vitest";
import { assembleCassette } from "../../../src/agents/recording/assemble-cassette.ts";
import { RecordedTurn } from "../../../src/agents/recording/recorded-turn.ts";
import { conditionsOf, answerSteps, tasksSteps } from "../../../src/agents/recording/turn-steps.ts";
import { decodeCassette } from "../../../src/engines/replay/cassette.ts";
import { encodeCassette } from "../../../src/engines/replay/encode-cassette.ts";
import { turnRequest } from "../../engines-unit/turn-request.ts";

const same = (text: string) => text;
const oid = (digit: string) => digit.repeat(40);
const point = (head: string, tree = head) => ({ head: oid(head), tree: oid(tree) });

function turn(more: Partial<RecordedTurn>): RecordedTurn {
  return RecordedTurn.parse({
    version: 1,
    unit: "build:API:1",
    on: { purpose: "build", unit: "build:API:1", attempt: 1, ask: 1 },
    outcome: "ended",
    before: point("1"),
    after: point("2"),
    work: [{ write: { path: "a", content: "a\n" } }, { commit: "A" }],
    tasks: [],
    said: [{ print: "done" }],
    ...more,
  });
}

test("a cassette made from recorded turns can be read", () => {
  const text = encodeCassette(assembleCassette([turn({})]));
  const decoded = decodeCassette(text);
  expect(decoded).toMatchObject({ ok: true });
  expect(decoded.ok && decoded.value.turns[0]?.steps.map(({ act }) => act)).toEqual([
    { write: { path: "a", content: "a\n" } },
    { commit: "A" },
    { print: "done" },
  ]);
});

test("an interrupted turn and its repetition become one turn, without the uncommitted work between them", () => {
  const stopped = turn({
    outcome: "stopped",
    after: point("2", "9"),
    work: [{ write: { path: "a", content: "a\n" } }, { commit: "A" }, { delete: { path: "b" } }],
    said: [],
  });
  const again = turn({ before: point("2"), after: point("3"), work: [{ commit: "B" }] });
  expect(assembleCassette([stopped, again]).turns).toEqual([
    {
      on: again.on,
      do: [
        { write: { path: "a", content: "a\n" } },
        { commit: "A" },
        { commit: "B" },
        { print: "done" },
      ],
    },
  ]);
});

test("turns that failed because of a limit, and turns that never ended, are left out", () => {
  const limited = turn({ outcome: "failed", failure: "limited", after: point("1"), work: [] });
  const elsewhere = turn({ before: point("5"), after: point("6"), work: [] });
  expect(assembleCassette([limited]).turns).toEqual([]);
  expect(assembleCassette([limited, elsewhere]).turns).toEqual([
    { on: elsewhere.on, do: [{ print: "done" }] },
  ]);
  expect(assembleCassette([turn({ outcome: "stopped" })]).turns).toEqual([]);
});

test("ticked boxes become ticks, any other change of TASKS.md the whole text", () => {
  const before = "## Milestone: API\n\n- [ ] one\n- [ ] two\n";
  const after = before.replace("[ ] two", "[x] two");
  expect(tasksSteps(before, after, same)).toEqual([{ tick: { milestone: "API", tasks: [2] } }]);
  expect(tasksSteps(before, `${after}- [ ] three\n`, same)).toMatchObject([
    { plan: `${after}- [ ] three\n` },
  ]);
  expect(tasksSteps(undefined, after, same)).toEqual([{ plan: after }]);
  expect(tasksSteps(before, before, same)).toEqual([]);
});

test("a turn's conditions are its unit without commit ids, and its reviewer or subject", () => {
  const request = {
    ...turnRequest("/clone"),
    purpose: "review-milestone" as const,
    unit: `review:API:${oid("a")}`,
    prompt: "x\n\n## docs (warning)\n\nLook.\n",
  };
  expect(conditionsOf(request, "Subject", same)).toMatchObject({
    unit: "review:API:*",
    prompt: "## docs (warning)",
  });
  const commit = { ...request, purpose: "review-commit" as const, unit: `commit:${oid("a")}` };
  expect(conditionsOf(commit, "Subject", same)).toMatchObject({
    unit: "commit:*",
    subject: "Subject",
  });
});

test("an answer contains no path of this machine, and a question stays a question", () => {
  const place = { cwd: "/clone" };
  const text = "File: /clone/src/a.js\nin /clone";
  const ended = { kind: "ended", status: "DONE", summary: "", text } as const;
  expect(answerSteps(ended, place, same)).toEqual([{ print: "File: src/a.js\nin ." }]);
  expect(answerSteps({ kind: "needs-input", question: "Port?" }, place, same)).toEqual([
    { print: '{"status":"NEEDS_INPUT","question":"Port?"}' },
  ]);
  expect(answerSteps({ kind: "failed", reason: "broke" }, place, same).at(-1)).toEqual({ exit: 1 });
});
