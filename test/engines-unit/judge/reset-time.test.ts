import { expect, test } from "vitest";
import { resetTime } from "../../../src/engines/judge/reset-time.ts";

/** Words of an end, what the clock says when they are said, the machine's zone, and the end. */
const ENDS: readonly (readonly [words: string, now: string, zone: string, end: string])[] = [
  // A clock and its zone.
  ["resets 8pm (America/Indianapolis)", "2026-11-29T16:00Z", "UTC", "2026-11-30T01:00Z"],
  ["resets 8pm (America/Indianapolis)", "2026-07-01T16:00Z", "UTC", "2026-07-02T00:00Z"],
  ["resets 3:42pm (UTC)", "2026-11-29T13:52Z", "Asia/Tokyo", "2026-11-29T15:42Z"],
  ["resets 3:50pm (Asia/Tokyo)", "2026-11-29T00:00Z", "UTC", "2026-11-29T06:50Z"],
  ["resets at 12am (Europe/Berlin)", "2026-11-29T16:00Z", "UTC", "2026-11-29T23:00Z"],
  ["resets 12:30 pm (Asia/Kolkata)", "2026-11-29T01:00Z", "UTC", "2026-11-29T07:00Z"],
  ["resets midnight PT", "2026-11-29T16:00Z", "UTC", "2026-11-30T08:00Z"],
  // The machine's zone.
  ["try again at 3:40 PM.", "2026-11-29T16:00Z", "America/New_York", "2026-11-29T20:40Z"],
  ["try again at 3:40\u202FPM.", "2026-11-29T16:00Z", "America/New_York", "2026-11-29T20:40Z"],
  ["try again at 3:40 PM.", "2026-11-29T16:00Z", "Asia/Tokyo", "2026-11-30T06:40Z"],
  ["resets 15:42", "2026-11-29T13:00Z", "Europe/Berlin", "2026-11-29T14:42Z"],
  // A day.
  ["at Dec 3rd, 2026 4:46 AM.", "2026-11-29T16:00Z", "America/New_York", ""],
  ["try again at Dec 3rd, 2026 4:46 AM.", "2026-11-29T16:00Z", "UTC", "2026-12-03T04:46Z"],
  [
    "try again at Dec 3rd, 2026 4:46 AM.",
    "2026-11-29T16:00Z",
    "America/New_York",
    "2026-12-03T09:46Z",
  ],
  ["resets Dec 3 at 4pm (Asia/Tokyo)", "2026-11-29T16:00Z", "UTC", "2026-12-03T07:00Z"],
  ["resets Jan 2, 9am (UTC)", "2026-12-30T16:00Z", "UTC", "2027-01-02T09:00Z"],
  ["resets on 1 December", "2026-11-29T16:00Z", "UTC", "2026-12-01T00:00Z"],
  ["resets on 2026-12-01", "2026-11-29T16:00Z", "UTC", "2026-12-01T00:00Z"],
  ["resets Thursday at 5:00 PM", "2026-11-29T16:00Z", "UTC", "2026-12-03T17:00Z"],
  ["resets tomorrow at 9am", "2026-11-29T16:00Z", "UTC", "2026-11-30T09:00Z"],
  // Ten minutes past is now; any longer, and the next one is meant.
  ["resets 3pm (UTC)", "2026-11-29T15:09Z", "UTC", "2026-11-29T15:09Z"],
  ["resets 3pm (UTC)", "2026-11-29T15:11Z", "UTC", "2026-11-30T15:00Z"],
  ["resets 11:55pm (UTC)", "2026-11-30T00:03Z", "UTC", "2026-11-30T00:03Z"],
  ["resets Dec 3 at 4pm (UTC)", "2026-12-03T16:05Z", "UTC", "2026-12-03T16:05Z"],
  // Clocks are set forward over the time, and back to it.
  ["resets 3am (America/New_York)", "2026-03-08T05:00Z", "UTC", "2026-03-08T07:00Z"],
  ["resets 2:30am (America/New_York)", "2026-03-08T05:00Z", "UTC", "2026-03-08T07:30Z"],
  ["resets 3am (America/New_York)", "2026-11-01T04:00Z", "UTC", "2026-11-01T08:00Z"],
  ["resets 1:30am (America/New_York)", "2026-11-01T04:00Z", "UTC", "2026-11-01T05:30Z"],
  ["resets 1:30am (America/New_York)", "2026-11-01T05:45Z", "UTC", "2026-11-01T06:30Z"],
  ["resets 3am (Europe/Berlin)", "2026-03-28T22:00Z", "UTC", "2026-03-29T01:00Z"],
  ["resets 3am", "2026-10-24T22:00Z", "Europe/Berlin", "2026-10-25T02:00Z"],
  // Durations and numbers.
  ["Your quota will reset after 18h31m10s.", "2026-11-29T00:00Z", "UTC", "2026-11-29T18:31:10Z"],
  ["Please wait 5 minutes", "2026-11-29T00:00Z", "UTC", "2026-11-29T00:05Z"],
  ["retry in 1500ms", "2026-11-29T00:00Z", "UTC", "2026-11-29T00:00:01.500Z"],
  ["retry-after: 90", "2026-11-29T00:00Z", "UTC", "2026-11-29T00:01:30Z"],
  ["resets in 2 weeks", "2026-11-29T00:00Z", "UTC", "2026-12-13T00:00Z"],
  [`"resets_at": 1795977457, …`, "2026-11-29T16:00Z", "UTC", "2026-11-29T18:37:37Z"],
  [
    "2026-11-29T16:00:00Z error: try again in 2 h",
    "2026-11-29T16:00:01Z",
    "UTC",
    "2026-11-29T18:00:01Z",
  ],
  // No end, or none that can be meant.
  ["resets 8pm (Mars/Olympus)", "2026-11-29T00:00Z", "UTC", ""],
  ["resets 25:00", "2026-11-29T00:00Z", "UTC", ""],
  ["resets 13pm", "2026-11-29T00:00Z", "UTC", ""],
  ["resets Dec 3rd, 2025 4:46 AM", "2026-11-29T00:00Z", "UTC", ""],
  ["try again in 3 months", "2026-11-29T00:00Z", "UTC", ""],
  ["resets sometimes, at 5", "2026-11-29T00:00Z", "UTC", ""],
];

test.each(ENDS)("%j, said at %s in %s, ends %s", (words, now, zone, end) => {
  const ended = resetTime(words, { nowMs: Date.parse(now), zone });
  expect(ended === undefined ? "" : new Date(ended).toISOString()).toBe(
    end === "" ? "" : new Date(end).toISOString(),
  );
});
