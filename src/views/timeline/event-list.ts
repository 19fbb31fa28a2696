import type { EventLine } from "../screen/screen-facts.ts";
import { speakerOf } from "./log-names.ts";
import { renderRecord, type LogRecord } from "./render-record.ts";

/** More than any screen shows. */
const EVENTS_MAX = 200;

/** The last records of all logs as lines for people, by their time: the logs are read one after the other. */
export class EventList {
  #events: { readonly time: string; readonly line: EventLine }[] = [];

  /** The oldest first. */
  get lines(): readonly EventLine[] {
    return this.#events.map(({ line }) => line);
  }

  add(entry: LogRecord): void {
    const said = renderRecord(entry);
    if (said === undefined) return;
    const { time } = entry.record;
    const line = { speaker: speakerOf(entry.log), style: said.tone, text: said.text };
    const at = this.#events.findLastIndex((event) => event.time <= time) + 1;
    this.#events.splice(at, 0, { time, line });
    if (this.#events.length > EVENTS_MAX) this.#events.shift();
  }
}
