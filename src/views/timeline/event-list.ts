import { span, type Row } from "../rows/row.ts";
import { speakerRow } from "../rows/speaker-row.ts";
import { speakerOf } from "./log-names.ts";
import type { LogRecord } from "../../fs-protocol/home/logs.ts";
import { renderRecord } from "./render-record.ts";

/** More events than any screen shows. */
const EVENTS_MAX = 200;

/** The last records of all logs as rows for people. They are sorted by time, because the logs are read one by one. */
export class EventList {
  #events: { readonly time: string; readonly row: Row }[] = [];

  /** Oldest event first. */
  get rows(): readonly Row[] {
    return this.#events.map(({ row }) => row);
  }

  add(entry: LogRecord): void {
    const sentence = renderRecord(entry);
    if (sentence === undefined) return;
    const { time } = entry.record;
    const row = speakerRow(speakerOf(entry.log), span(sentence.tone, sentence.text));
    const at = this.#events.findLastIndex((event) => event.time <= time) + 1;
    this.#events.splice(at, 0, { time, row });
    if (this.#events.length > EVENTS_MAX) this.#events.shift();
  }
}
