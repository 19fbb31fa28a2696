import type { LogName } from "../../base/role.ts";
import { localTime } from "../../base/words/local-time.ts";
import type { LogRecord } from "../../fs-protocol/home/logs.ts";
import { row, span, type Row } from "../rows/row.ts";
import { speakerRow } from "../rows/speaker-row.ts";
import { speakerOf } from "./log-names.ts";
import { renderRecord } from "./render-record.ts";

/** One record, as a line of `wisp log --json`; fields are added, never renamed or removed. */
export interface EventView {
  readonly schema: "wisp.event/1";
  readonly time: string;
  /** The log that holds it: a role, `supervisor`, or `human`. */
  readonly role: LogName;
  readonly kind: string;
  /** The record's own fields, as PROTOCOL.md describes them, decoded. */
  readonly fields: object;
  /** The sentence for people; null for a record that only programs need. */
  readonly text: string | null;
}

/** A record for programs. */
export function eventView(entry: LogRecord): EventView {
  const { time, kind, ...fields } = entry.record;
  const text = renderRecord(entry)?.text ?? null;
  return { schema: "wisp.event/1", time, role: entry.log, kind, fields, text };
}

/** A record for people: its local time, who speaks, and what. No row for a record that only programs need. */
export function eventRows(entry: LogRecord): readonly Row[] {
  const sentence = renderRecord(entry);
  if (sentence === undefined) return [];
  const words = speakerRow(speakerOf(entry.log), span(sentence.tone, sentence.text));
  return [row(span("faint", localTime(entry.record.time)), " ", ...words)];
}
