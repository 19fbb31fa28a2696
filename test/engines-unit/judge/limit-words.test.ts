import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { present } from "../../../src/base/assert.ts";
import { acpProfile } from "../../../src/engines/acp/acp.ts";
import { codingCli } from "../../../src/engines/coding-clis.ts";
import type { CliProfile } from "../../../src/engines/cli-profile.ts";
import { EventReader } from "../../../src/engines/events/event-reader.ts";
import { addEvent, addWait, NOTHING_REPORTED } from "../../../src/engines/events/turn-report.ts";
import { failureOf, type TurnFailure } from "../../../src/engines/judge/failure-class.ts";
import { whyFailed, type TurnEnd } from "../../../src/engines/judge/judge-end.ts";
import { isOwnLine, lastWords } from "../../../src/engines/judge/own-words.ts";
import { FailureClass, FailureEvidence } from "../../../src/fs-protocol/records/failure-class.ts";
import { transcript } from "../events/transcripts.ts";

/** What CLIs say about their limits, and what it means: which CLI and version, and where the words are from. */
const Said = z.strictObject({
  cli: z.string(),
  version: z.string().optional(),
  source: z.string(),
  /** What it printed: a transcript, lines of its own format, or lines on standard error. */
  transcript: z.string().optional(),
  stdout: z.array(z.unknown()).optional(),
  stderr: z.array(z.string()).optional(),
  /** Its exit code, or how wisp ended it. */
  exit: z.int().optional(),
  end: z.enum(["idle"]).optional(),
  now: z.string(),
  zone: z.string().optional(),
  class: z.enum(["success", ...FailureClass.options]),
  /** For a limit and what else costs no attempt. */
  evidence: FailureEvidence.optional(),
  until: z.string().optional(),
  /** Whether it is a limit of one model; absent: no. */
  ofModel: z.literal(true).optional(),
});
type Said = z.infer<typeof Said>;

const PATH = join(import.meta.dirname, "../../fixtures/limits/words.json");
const TABLE = z.array(Said).parse(JSON.parse(readFileSync(PATH, "utf8")));

function profileOf(cli: string): CliProfile {
  return cli === "acp"
    ? acpProfile({ turnArgs: [], agent: ["agent"] })
    : present(codingCli(cli), `${cli} is known`);
}

function reportOf({ cli, stdout = [], ...said }: Said) {
  const { parse, waitsIn } = profileOf(cli);
  const lines = Buffer.from(stdout.map((line) => `${JSON.stringify(line)}\n`).join(""));
  const reader = new EventReader(parse);
  const bytes = said.transcript === undefined ? lines : transcript(said.transcript);
  const events = [...reader.push(bytes), ...reader.end()];
  const report = events.reduce((all, event) => addEvent(all, event, "last"), NOTHING_REPORTED);
  return addWait(report, waitsIn?.((said.stderr ?? []).join("\n")));
}

function judged(said: Said): TurnFailure | undefined {
  const { cli, stderr = [], exit: exitCode = 1, zone } = said;
  const at = { nowMs: Date.parse(said.now), zone };
  // A program of the user's own says what it says by its last lines.
  if (cli === "command") return failureOf({ message: lastWords(stderr) }, at, "words");
  const { statusOf, isLog = () => false, answersWithRefusals } = profileOf(cli);
  const lines = stderr.filter((line) => !isLog(line));
  const end: TurnEnd = said.end === undefined ? { kind: "exited", exitCode } : { kind: said.end };
  return whyFailed({
    ...{ report: reportOf(said), end, at, status: statusOf?.(exitCode) },
    mayAnswerWithRefusal: answersWithRefusals,
    ...{ stderr: lines.join(" / "), words: lines.filter(isOwnLine).join(" / ") },
  });
}

test.each(TABLE.map((said, at) => [`${said.cli} ${said.version ?? ""}`.trim(), at, said] as const))(
  "%s, row %i: the class, what shows it, and the end",
  (_, __, said) => {
    const { class: kind = "success", evidence, untilMs, isOfModel = false } = judged(said) ?? {};
    const until = untilMs === undefined ? undefined : new Date(untilMs).toISOString();
    expect({ class: kind, until, isOfModel }).toEqual({
      class: said.class,
      isOfModel: said.ofModel ?? false,
      until: said.until?.replace("Z", ".000Z"),
    });
    if (said.evidence !== undefined) expect(evidence).toBe(said.evidence);
  },
);

test("each limit in the table says what shows it", () => {
  const limits = TABLE.filter((said) => said.class === "limited");
  expect(limits.filter(({ evidence }) => evidence === undefined)).toEqual([]);
});
