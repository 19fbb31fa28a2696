import { z } from "zod";
import { spanMs } from "../../settings/schema/duration.ts";

const Moment = z.iso.datetime({ local: true, offset: true });
const Day = z.iso.date();

/**
 * The beginning of a period that a person named, in ms since 1970: a duration back from now (`30m`, `2h`, `1d`), or a
 * time in ISO 8601. A time without a zone, and the beginning of a day, are those of this machine. Undefined if the text
 * is neither.
 */
export function sinceMs(text: string, nowMs: number): number | undefined {
  const back = spanMs(text);
  if (back !== undefined) return nowMs - back;
  if (Day.safeParse(text).success) return Date.parse(`${text}T00:00:00`);
  return Moment.safeParse(text).success ? Date.parse(text) : undefined;
}
