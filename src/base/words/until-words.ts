import { formatTimeLeft } from "./format-duration.ts";
import { localTime } from "./local-time.ts";

const DAY_MS = 24 * 60 * 60_000;

/**
 * Until when something lasts, for people, in the time zone of this machine: "until 15:42, in 1h 50m", and "until
 * 2026-12-03 04:46, in 4 days" if that is on another day.
 */
export function untilWords(untilMs: number, nowMs: number): string {
  const [day = "", time = ""] = localTime(new Date(untilMs).toISOString()).split(" ");
  const [today] = localTime(new Date(nowMs).toISOString()).split(" ");
  const at = `until ${day === today ? "" : `${day} `}${time.slice(0, 5)}`;
  const leftMs = untilMs - nowMs;
  if (leftMs <= 0) return at;
  const days = Math.round(leftMs / DAY_MS);
  return `${at}, in ${leftMs < 2 * DAY_MS ? formatTimeLeft(leftMs) : `${String(days)} days`}`;
}
