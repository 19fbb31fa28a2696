/** A time as a clock on a wall shows it; months from 1. */
export interface WallTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
}

/** Whether it is a time zone by a name that is known here, such as `Asia/Tokyo`. */
export function isZone(zone: string): boolean {
  try {
    formatOf(zone);
    return true;
  } catch {
    return false;
  }
}

/** What clocks show in a zone at a moment, in milliseconds since 1970. */
export function wallTimeAt(atMs: number, zone: string): WallTime {
  const parts = new Map(
    formatOf(zone)
      .formatToParts(atMs)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? Number.NaN;
  const [year, month, day] = [part("year"), part("month"), part("day")];
  return { year, month, day, hour: part("hour"), minute: part("minute") };
}

/**
 * When clocks in a zone show a time, in order: twice if they are set back over it. A time that they skip, as they are
 * set forward, is as much later as they skip. Days beyond the end of a month are in the next one.
 */
export function momentsOf(wall: WallTime, zone: string): readonly number[] {
  const asUtcMs = utcOf(wall);
  // The zone's offsets before and after a change of its clocks on that day.
  const offsets = [-DAY_MS, DAY_MS].map((nearMs) => offsetMs(asUtcMs + nearMs, zone));
  const moments = [...new Set(offsets.map((offset) => asUtcMs - offset))];
  const shown = moments.filter((atMs) => utcOf(wallTimeAt(atMs, zone)) === asUtcMs);
  return shown.length > 0 ? shown.sort((one, other) => one - other) : moments.slice(0, 1);
}

const DAY_MS = 86_400_000;

function utcOf({ year, month, day, hour, minute }: WallTime): number {
  return Date.UTC(year, month - 1, day, hour, minute);
}

/** How far clocks in a zone are ahead of UTC. */
function offsetMs(atMs: number, zone: string): number {
  return utcOf(wallTimeAt(atMs, zone)) - Math.floor(atMs / 60_000) * 60_000;
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const [year, numeric] = ["numeric", "numeric"] as const;
  return new Intl.DateTimeFormat("en-US", {
    ...{ timeZone, calendar: "gregory", hourCycle: "h23" },
    ...{ year, month: numeric, day: numeric, hour: numeric, minute: numeric },
  });
}
