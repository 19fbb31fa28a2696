import { span, type Row } from "../rows/row.ts";
import { speakerRow } from "../rows/speaker-row.ts";
import { speakerOf } from "./log-names.ts";
import type { LogRecord } from "../../fs-protocol/home/logs.ts";
import { localTime } from "../../base/words/local-time.ts";
import { renderRecord } from "./render-record.ts";

/** How many events can be scrolled back to. */
const EVENTS_MAX = 2_000;

/** Events as a screen shows them. */
export interface ListedEvents {
  /** How many earlier events were dropped. */
  readonly first: number;
  /** Oldest event first. */
  readonly rows: readonly Row[];
}

/**
 * The last records of all logs as rows for people, with their local times. They are sorted by time, because the logs are
 * read one by one.
 */
export class EventList {
  readonly #events: { readonly time: string; readonly local: string; readonly row: Row }[] = [];
  #first = 0;
  #listed: ListedEvents | undefined;

  /** The current events. The day is shown only if they are not all of one day. */
  get listed(): ListedEvents {
    this.#listed ??= { first: this.#first, rows: this.#rows() };
    return this.#listed;
  }

  add(entry: LogRecord): void {
    const sentence = renderRecord(entry);
    if (sentence === undefined) return;
    const { time } = entry.record;
    const row = speakerRow(speakerOf(entry.log), span(sentence.tone, sentence.text));
    const at = this.#events.findLastIndex((event) => event.time <= time) + 1;
    this.#events.splice(at, 0, { time, local: localTime(time), row });
    if (this.#events.length > EVENTS_MAX) {
      this.#events.shift();
      this.#first += 1;
    }
    this.#listed = undefined;
  }

  #rows(): readonly Row[] {
    const days = new Set(this.#events.map(({ local }) => local.slice(0, DAY_CHARS)));
    // The year is left out.
    const from = days.size > 1 ? "2026-".length : DAY_CHARS + 1;
    return this.#events.map(({ local, row }) => [span("faint", `${local.slice(from)} `), ...row]);
  }
}

const DAY_CHARS = "2026-11-20".length;
