import { LOG_NAMES, type LogName } from "../../src/base/role.ts";
import { encodeRecord } from "../../src/fs-protocol/codec/record-codec.ts";
import { homeAt, logPath } from "../../src/fs-protocol/home/home.ts";
import { schemaOf, type RecordOfLog } from "../../src/fs-protocol/home/logs.ts";
import { knownSession, type KnownSession } from "../../src/views/why/known-session.ts";
import { RecordReader } from "../../src/workspace/session/record-reader.ts";
import { MemoryFiles } from "./memory-files.ts";
import { builder, finding, human, reviewer, sha, tester, timeAt } from "./records.ts";

/** The home of a written session. */
export const HOME = homeAt("/repository/.wisp/sessions/demo");

type Records = { readonly [L in LogName]: readonly RecordOfLog<L>[] };

function turn(unit: string, minute: number, fields: { readonly part?: string } = {}) {
  const [output, begin] = [`turn-${String(minute)}`, { unit, purpose: "work", attempt: 1 }];
  const used = { model: "opus", cost: 0.5, tokens: { input: 1_000, output: 200, cached: 0 } };
  return [
    { kind: "unit.begin", time: timeAt(minute), unit } as const,
    {
      ...({
        kind: "turn.begin",
        time: timeAt(minute),
        engine: "claude",
        m: "API",
        output,
      } as const),
      ...{ ...begin, ...fields },
    },
    {
      ...({ kind: "turn.end", time: timeAt(minute + 1), unit, output } as const),
      ...({ outcome: "ended", ...used } as const),
    },
  ] as const;
}

/** `COR-000001` is fixed by the second attempt, `SIM-000002` stays open, and a person dismisses `BUG-00000a`. */
const recordsOf = (task: string): Records => ({
  planner: [],
  builder: [
    builder.adopt({ API: [task, "Print rows"], Docs: ["Say how"] }),
    ...turn("build:API:1", 1),
    builder.intent("build:API:1", [sha(1)]),
    builder.build({
      ...{ m: "API", time: timeAt(2), outcome: "partial", commits: [sha(1)] },
      ticks: [{ m: "API", tasks: [1] }],
    }),
    ...turn("build:API:2", 3),
    builder.build({
      ...{ m: "API", unit: "build:API:2", time: timeAt(5), outcome: "milestone" },
      ...{ commits: [sha(2), sha(3)], ticks: [{ m: "API", tasks: [2] }] },
      milestones: [{ name: "API", start: sha(0), end: sha(3) }],
    }),
    { ...builder.close("all", ["COR-000001"]), time: timeAt(8) },
    ...turn("fix:COR-000001:1", 9),
    builder.fix({
      ...{ id: "COR-000001", attempt: 1, time: timeAt(10), outcome: "fixed", sha: sha(4) },
    }),
    ...turn("fix:COR-000001:2", 13),
    builder.fix({
      ...{ id: "COR-000001", attempt: 2, time: timeAt(14), outcome: "fixed", sha: sha(5) },
    }),
    {
      ...{ kind: "verify.result", time: timeAt(14), at: sha(5), tree: sha(105) },
      ...{ command: "c", outcome: "passed" },
    },
  ],
  reviewer: [
    ...turn(`review:API:${sha(3)}`, 6, { part: "correctness" }),
    reviewer.milestone("API", {
      ...{ unit: `review:API:${sha(3)}`, time: timeAt(7) },
      findings: [
        finding("COR-000001", { file: "src/parse.js", line: 12, brief: "It drops a row" }),
        finding("SIM-000002", { file: "README.md", level: "warning" }),
      ],
    }),
    reviewer.verify("COR-000001", "reopened", {
      ...{ unit: `verify:COR-000001:${sha(4)}:1`, sha: sha(4), time: timeAt(11) },
      reason: "the last row is still dropped",
    }),
    reviewer.verify("COR-000001", "closed", {
      ...{ unit: `verify:COR-000001:${sha(5)}:2`, sha: sha(5), attempt: 2, time: timeAt(15) },
    }),
  ],
  tester: [
    tester.test("API", {
      ...{ unit: `test:API:${sha(3)}`, time: timeAt(7) },
      bugs: [finding("BUG-00000a", { command: "npm test" })],
    }),
    { ...tester.adopt(0, "BUG-00000a", "as agreed"), time: timeAt(17) },
  ],
  supervisor: [],
  human: [{ ...human.dismiss("BUG-00000a"), time: timeAt(16) }],
});

function textOf(records: Records, log: LogName): string {
  return records[log].map((record) => encodeRecord(schemaOf(log), record)).join("");
}

/** The logs of the session, written to files in memory. `task`: the first task of its first milestone. */
export function writtenSession(task = "Parse rows"): MemoryFiles {
  const files = new MemoryFiles();
  const records = recordsOf(task);
  for (const log of LOG_NAMES) {
    if (records[log].length > 0) files.write(logPath(HOME, log), textOf(records, log));
  }
  return files;
}

/** What is known of the session, as its files are now; the branch has commits 1 to 6. */
export function knownFrom(files: MemoryFiles, hasBranch = true) {
  const reader = new RecordReader(files, HOME);
  const { records, unread } = reader.read();
  const places = new Map([1, 2, 3, 4, 5, 6].map((n) => [sha(n), n]));
  const known: KnownSession = knownSession({
    ...{ id: "demo", branch: "wisp/demo", base: sha(0), records },
    places: hasBranch ? places : undefined,
    filesOf: (output) => [`logs/turns/${output}.out`],
  });
  return { known, records, unread: [...unread, ...reader.tails()] };
}
