import { isZone, momentsOf, wallTimeAt, type WallTime } from "./zone-time.ts";

/** When and where words were said. */
export interface SaidAt {
  /** In milliseconds since 1970. */
  readonly nowMs: number;
  /** The time zone of the machine on which the CLI ran, by its IANA name; absent: UTC. */
  readonly zone?: string | undefined;
}

/** A clock time that is up to this long past is now: it is said without seconds, and clocks differ. */
const PAST_MS_MAX = 10 * 60_000;

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const DAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

/** Short names of zones that CLIs say and that are not IANA names. */
const SHORT_ZONES: Readonly<Record<string, string>> = {
  ...{ z: "UTC", utc: "UTC", gmt: "UTC" },
  ...{ pt: "America/Los_Angeles", pst: "America/Los_Angeles", pdt: "America/Los_Angeles" },
  ...{ et: "America/New_York", est: "America/New_York", edt: "America/New_York" },
};

const MONTH = `(?<month>${MONTHS.join("|")})[a-z]*\\.?`;
const DAY = "(?<day>\\d{1,2})(?:st|nd|rd|th)?";
const DATE = [
  "(?<iso>\\d{4}-\\d\\d-\\d\\d)",
  `${MONTH} ${DAY}(?:,? (?<year>\\d{4}))?`,
  `${DAY.replace("day", "first")} ${MONTH.replace("month", "later")}(?:,? (?<since>\\d{4}))?`,
  `(?<weekday>${DAYS.join("|")})[a-z]*`,
  "(?<relative>today|tomorrow)",
].join("|");
const TIME =
  "(?:(?<hour>\\d{1,2})(?::(?<minute>\\d\\d)(?::\\d\\d)?)? ?(?<half>[ap])\\.?m\\b\\.?" +
  "|(?<hour24>\\d{1,2}):(?<minute24>\\d\\d)(?::\\d\\d)?(?![\\d:])|(?<named>midnight|noon))";
const ZONE = " ?(?:\\((?<zone>[A-Za-z][\\w+/-]*)\\)|(?<short>UTC|GMT|P[SD]?T|E[SD]?T)\\b)";

/** Words before a time that say that it is the end of a limit. */
const LEAD =
  "\\b(?:resets?|resetting|renews?|try again|retry|available(?: again)?|until)\\b:?(?: (?:on|at|after|around))*";

const CLOCK_WORDS = new RegExp(
  `${LEAD} (?:(?:${DATE})(?:(?:,| at|, at)? ${TIME})?|${TIME.replaceAll("(?<", "(?<only_")})(?:${ZONE})?`,
  "iu",
);

/**
 * The moment that words name by a clock: "resets 8pm (America/Indianapolis)", "try again at 3:40 PM", "at Dec 3rd,
 * 2026 4:46 AM", "resets Monday at 09:00". Without a zone it is that of the machine, without a day the next such
 * time. `undefined` if they name none.
 */
export function clockTime(words: string, { nowMs, zone = "UTC" }: SaidAt): number | undefined {
  // Some CLIs put narrow spaces between a time and its half of the day.
  const found = CLOCK_WORDS.exec(words.replaceAll(/\s+/gu, " "))?.groups;
  if (found === undefined) return undefined;
  const named = found["zone"] ?? found["short"];
  const there = named === undefined ? zone : (SHORT_ZONES[named.toLowerCase()] ?? named);
  const time = timeIn(found);
  if (time === undefined || !isZone(there)) return undefined;
  const today = wallTimeAt(nowMs, there);
  const moments = daysIn(found, today)
    .flatMap((date) => momentsOf({ ...date, ...time }, there))
    .sort((one, other) => one - other);
  const next = moments.find((atMs) => atMs >= nowMs - PAST_MS_MAX);
  return next === undefined ? undefined : Math.max(next, nowMs);
}

type Found = Readonly<Record<string, string | undefined>>;
type Time = Pick<WallTime, "hour" | "minute">;
type Day = Pick<WallTime, "year" | "month" | "day">;

/** The time of day; a day without a time begins at midnight. */
function timeIn(found: Found): Time | undefined {
  const of = (name: string) => found[name] ?? found[`only_${name}`];
  if (of("named") !== undefined) return { hour: of("named") === "noon" ? 12 : 0, minute: 0 };
  const half = of("half")?.toLowerCase();
  const hour = Number(of("hour") ?? of("hour24") ?? 0);
  const minute = Number(of("minute") ?? of("minute24") ?? 0);
  const isHour = half === undefined ? hour < 24 : hour >= 1 && hour <= 12;
  if (!isHour || minute > 59) return undefined;
  return { hour: half === undefined ? hour : (hour % 12) + (half === "p" ? 12 : 0), minute };
}

/** The days that may be meant. */
function daysIn(found: Found, today: Day): readonly Day[] {
  const later = (days: number): Day => dayOf({ ...today, day: today.day + days });
  const { iso, weekday, relative } = found;
  if (iso !== undefined) {
    const [year = 0, month = 0, day = 0] = iso.split("-").map(Number);
    return [{ year, month, day }];
  }
  if (relative !== undefined) return [later(relative.toLowerCase() === "today" ? 0 : 1)];
  const near = Array.from({ length: 9 }, (_, at) => later(at - 1));
  if (weekday !== undefined) {
    const wanted = DAYS.indexOf(weekday.toLowerCase());
    return near.filter((day) => new Date(utcDay(day)).getUTCDay() === wanted);
  }
  const name = found["month"] ?? found["later"];
  if (name === undefined) return near;
  const month = MONTHS.indexOf(name.toLowerCase()) + 1;
  const day = Number(found["day"] ?? found["first"]);
  const year = found["year"] ?? found["since"];
  const years = year === undefined ? [today.year, today.year + 1] : [Number(year)];
  return years.map((each) => ({ year: each, month, day }));
}

/** The day itself, also if its number is beyond its month. */
function dayOf(day: Day): Day {
  const date = new Date(utcDay(day));
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

function utcDay({ year, month, day }: Day): number {
  return Date.UTC(year, month - 1, day);
}
