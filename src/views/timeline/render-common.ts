import { leftAloneWords, holdEndWords } from "../../agents/supervisor/hold-words.ts";
import { abbreviate } from "../../base/oid.ts";
import type { CommonRecord, FileRestored } from "../../fs-protocol/records/common-records.ts";
import type { DivergenceRecord } from "../../fs-protocol/records/divergence.ts";
import { describeUnit } from "../../workspace/session/describe-unit.ts";
import { factWords } from "../status/meanwhile-words.ts";
import { TURNS_WAIT_MS_MAX } from "../../base/look-limits.ts";
import { formatDuration, formatTimeLeft } from "../../base/words/format-duration.ts";
import { because, sentence, type Sentence } from "../../base/words/sentence.ts";

/** A record about a role's process, units or turns as a sentence; undefined if another record says it better. */
export function renderCommon(record: CommonRecord | DivergenceRecord): Sentence | undefined {
  switch (record.kind) {
    case "role.start":
      return sentence("faint", `started, process ${String(record.pid)}`);
    case "role.end":
      return sentence("faint", `ended${because(record.reason)}`);
    case "unit.begin":
      return sentence("faint", `begins ${describeUnit(record.unit)}`);
    case "unit.recover":
      return renderRecovery(record);
    case "turn.begin":
      return undefined;
    case "turn.end":
      // The record that follows tells how the turn ended; a stopped turn has no such record.
      return record.outcome === "stopped"
        ? sentence("faint", `stopped in the middle of ${describeUnit(record.unit)}`)
        : undefined;
    case "limited":
      return sentence(
        "ask",
        `leaves ${heldWordsOf(record)} alone ${holdWordsOf(record)}: ${record.reason}`,
      );
    case "unit.wait":
      if (record.over === "yes") return sentence("plain", `goes on: ${record.reason}`);
      return sentence("ask", `waits at ${describeUnit(record.unit)}${because(record.reason)}`);
    case "attempt.failed":
      return sentence("bad", `failed at ${describeUnit(record.unit)}${because(record.reason)}`);
    case "watch.lost":
      return sentence(
        "ask",
        `gets no file events (${record.errno}): it polls every second instead`,
      );
    case "file.restored":
      return renderRestored(record);
    case "look":
      return renderLook(record);
    case "meanwhile":
      return sentence("ask", factWords(record, { who: "it", whose: "its" }));
    case "divergence":
      return sentence(
        "plain",
        `diverged from the request: ${record.what}${because(record.reason)}`,
      );
    case "note":
      return sentence("plain", record.text);
  }
}

type RecordOf<K extends CommonRecord["kind"]> = Extract<CommonRecord, { readonly kind: K }>;

function heldWordsOf({ engine, of, model }: RecordOf<"limited">): string {
  return leftAloneWords(of === "model" ? { engine, model: { asked: model } } : { engine });
}

/** As it was when the record was written. */
function holdWordsOf({ time, engine, until, end }: RecordOf<"limited">): string {
  if (until === undefined) return "until you have dealt with it";
  return holdEndWords({ engine, untilMs: Date.parse(until), end }, Date.parse(time));
}

/** A look that was not repeated is not worth a line: what follows from it has its own record. */
function renderLook(record: RecordOf<"look">): Sentence | undefined {
  const { n, verdict, at, reason } = record;
  if (n === 1 && verdict !== "unknown") return undefined;
  const where = aloneWords(record);
  const tone = verdict === "green" ? "plain" : "ask";
  return sentence(
    tone,
    `look ${String(n)} at ${abbreviate(at)}${where}: ${verdict}${because(reason)}`,
  );
}

/** What ran beside it, or how long that was waited for. */
function aloneWords({ alone, waited = 0, beside = 0 }: RecordOf<"look">): string {
  if (alone !== "yes") return "";
  if (beside > 0) {
    const turns = beside === 1 ? "1 turn of an engine" : `${String(beside)} turns of engines`;
    return `, beside ${turns} after ${formatTimeLeft(TURNS_WAIT_MS_MAX)} of waiting`;
  }
  return waited > 0 ? `, alone after ${formatDuration(waited)} of waiting for engines` : ", alone";
}

/** Says that a file was restored, and in which condition it was found. */
export function renderRestored({ file, found, copy }: FileRestored): Sentence {
  const kept = copy === undefined ? "" : `; what was found is kept as ${copy}: see wisp status`;
  return sentence("bad", `restored ${file}: ${FOUND[found]}${kept}`);
}

const FOUND: Readonly<Record<FileRestored["found"], string>> = {
  missing: "someone else had removed it",
  cut: "someone else had truncated it",
  grown: "someone else had appended to it",
  edited: "someone else had changed it",
};

function renderRecovery(record: RecordOf<"unit.recover">): Sentence {
  const found = {
    published: "its commits are on the branch",
    committed: "its commits are in the clone",
    nothing: "it starts again",
  }[record.found];
  const saved = record.rescue === undefined ? "" : `; unfinished work is saved at ${record.rescue}`;
  return sentence("plain", `was interrupted at ${describeUnit(record.unit)}: ${found}${saved}`);
}
