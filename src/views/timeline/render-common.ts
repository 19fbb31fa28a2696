import type { CommonRecord, FileRestored } from "../../fs-protocol/records/common-records.ts";
import type { DivergenceRecord } from "../../fs-protocol/records/divergence.ts";
import { describeUnit } from "../../workspace/session/describe-unit.ts";
import { factWords } from "../status/meanwhile-words.ts";
import { because, sentence, type Sentence } from "../../base/words/sentence.ts";

/** Records of a role's process, its units and turns. Undefined: what it says, another record says better. */
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
      // How it ended stands in the record that follows from it, unless none will.
      return record.outcome === "stopped"
        ? sentence("faint", `stopped in the midst of ${describeUnit(record.unit)}`)
        : undefined;
    case "limited":
      return sentence(
        "ask",
        `leaves ${record.engine} alone ${untilWords(record)}: ${record.reason}`,
      );
    case "unit.wait":
      return sentence("ask", `waits at ${describeUnit(record.unit)}${because(record.reason)}`);
    case "attempt.failed":
      return sentence("bad", `failed at ${describeUnit(record.unit)}${because(record.reason)}`);
    case "watch.lost":
      return sentence(
        "ask",
        `gets no file events (${record.errno}): it looks every second instead`,
      );
    case "file.restored":
      return renderRestored(record);
    case "meanwhile":
      return sentence("ask", factWords(record, "its"));
    case "divergence":
      return sentence("plain", `left the request: ${record.what}${because(record.reason)}`);
    case "note":
      return sentence("plain", record.text);
  }
}

type RecordOf<K extends CommonRecord["kind"]> = Extract<CommonRecord, { readonly kind: K }>;

function untilWords({ until }: RecordOf<"limited">): string {
  return until === undefined ? "until you have seen to it" : `until ${until}`;
}

/** That a file was put back, and how it was found. */
export function renderRestored({ file, found, copy }: FileRestored): Sentence {
  const kept = copy === undefined ? "" : `; what was found is kept as ${copy}: see wisp status`;
  return sentence("bad", `put ${file} back: ${FOUND[found]}${kept}`);
}

const FOUND: Readonly<Record<FileRestored["found"], string>> = {
  missing: "somebody else had removed it",
  cut: "somebody else had cut it",
  grown: "somebody else had written to it",
  edited: "somebody else had changed it",
};

function renderRecovery(record: RecordOf<"unit.recover">): Sentence {
  const found = {
    published: "its commits are on the branch",
    committed: "its commits are in the clone",
    nothing: "it is taken again",
  }[record.found];
  const saved = record.rescue === undefined ? "" : `; unfinished work is saved at ${record.rescue}`;
  return sentence("plain", `was interrupted at ${describeUnit(record.unit)}: ${found}${saved}`);
}
