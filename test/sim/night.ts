import { Random } from "../rig/random.ts";

/** How a limit is told: an event, or a clock time in a zone, of the machine, with a date, or a duration. */
export type Telling = "event" | "zone" | "clock" | "date" | "span";

/** A time in which an engine is at its limit. */
export interface LimitWindow {
  readonly engine: "claude" | "codex";
  readonly telling: Telling;
  readonly fromMs: number;
  readonly toMs: number;
}

/** A night, from the evening on: where, and the limits in it. */
export interface Night {
  /** The zone of the machine, and the one that claude names. */
  readonly zone: string;
  readonly otherZone: string;
  readonly startMs: number;
  readonly windows: readonly LimitWindow[];
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Nights in which clocks are set back or forward, with 3 a.m. after it, and a night without a change. */
const NIGHTS: readonly (readonly [zone: string, other: string, three: string])[] = [
  ["Europe/Berlin", "America/New_York", "2026-10-25T02:00Z"],
  ["Europe/Berlin", "Asia/Tokyo", "2026-03-29T01:00Z"],
  ["America/New_York", "Asia/Kolkata", "2026-11-01T08:00Z"],
  ["America/New_York", "Europe/Berlin", "2026-03-08T07:00Z"],
  ["Asia/Tokyo", "Australia/Lord_Howe", "2026-11-20T18:00Z"],
];
const ANY = ["UTC", "UTC", "2026-11-21T03:00Z"] as const;

/** The night of a seed: claude is at its limit three times, the second time until 3 a.m., and codex as often. */
export function nightOf(seed: number): Night {
  const random = Random.for(seed, "night");
  const [zone, otherZone, three] = NIGHTS[seed % NIGHTS.length] ?? ANY;
  const threeMs = Date.parse(three);
  const startMs = threeMs - 5 * HOUR_MS;
  const minutes = (least: number, most: number) => random.between(least, most) * MINUTE_MS;
  const firstMs = startMs + minutes(20, 50);
  const windows: readonly LimitWindow[] = [
    windowOf("claude", "event", firstMs, minutes(40, 70)),
    windowOf("codex", "span", firstMs + minutes(5, 20), minutes(50, 80)),
    until("claude", "zone", threeMs - minutes(90, 150), threeMs),
    until("codex", "clock", threeMs - minutes(60, 85), threeMs + minutes(1, 30)),
    windowOf("claude", "event", threeMs + minutes(60, 90), minutes(100, 200)),
    windowOf("codex", "date", threeMs + minutes(70, 100), 26 * HOUR_MS + minutes(0, 59)),
  ];
  return { zone, otherZone, startMs, windows };
}

type Engine = LimitWindow["engine"];

function until(engine: Engine, telling: Telling, fromMs: number, toMs: number): LimitWindow {
  return { engine, telling, fromMs, toMs };
}

function windowOf(engine: Engine, telling: Telling, fromMs: number, lastsMs: number): LimitWindow {
  return { engine, telling, fromMs, toMs: fromMs + lastsMs };
}

/** The limit that an engine is at. */
export function limitAt(
  { windows }: Night,
  engine: string,
  nowMs: number,
): LimitWindow | undefined {
  return windows.find((one) => one.engine === engine && one.fromMs <= nowMs && nowMs < one.toMs);
}

/** What the CLI prints about it. */
export function limitLines(
  { zone, otherZone }: Night,
  { engine, telling, toMs }: LimitWindow,
  nowMs: number,
): readonly object[] {
  const clock = (timeZone: string, options: Intl.DateTimeFormatOptions = {}) =>
    new Intl.DateTimeFormat("en-US", {
      ...{ timeZone, hour: "numeric", minute: "2-digit", hour12: true },
      ...options,
    }).format(toMs);
  if (engine === "codex") {
    const minutes = Math.ceil((toMs - nowMs) / MINUTE_MS);
    const told = {
      span: `in ${String(Math.floor(minutes / 60))} hours ${String(minutes % 60)} minutes`,
      date: `at ${clock(zone, { month: "short", day: "numeric", year: "numeric" })}`,
    };
    const when = telling === "span" || telling === "date" ? told[telling] : `at ${clock(zone)}`;
    const message = `You’ve hit your usage limit. Visit x to purchase more credits or try again ${when}.`;
    return [
      { type: "thread.started", thread_id: "t" },
      { type: "turn.failed", error: { message } },
    ];
  }
  const time = clock(otherZone).replace(/\s/gu, "").toLowerCase();
  const result = `You've hit your session limit · resets ${time} (${otherZone})`;
  const info = { status: "rejected", resetsAt: Math.round(toMs / 1_000), isUsingOverage: false };
  return [
    { type: "system", subtype: "init", session_id: "s" },
    ...(telling === "event" ? [{ type: "rate_limit_event", rate_limit_info: info }] : []),
    { type: "result", is_error: true, session_id: "s", result: telling === "event" ? "x" : result },
  ];
}

/** The command with which it looks at what it is asked about. */
const LOOK = "git diff HEAD~1";

/** What it prints about a turn that went well. */
export function answerLines(engine: string, text: string): readonly object[] {
  if (engine === "codex") {
    return [
      { type: "thread.started", thread_id: "t" },
      {
        type: "item.completed",
        item: { id: "0", type: "command_execution", command: LOOK, status: "completed" },
      },
      { type: "item.completed", item: { id: "1", type: "agent_message", text } },
      { type: "turn.completed", usage: { input_tokens: 1, output_tokens: 1 } },
    ];
  }
  return [
    { type: "system", subtype: "init", session_id: "s" },
    {
      type: "assistant",
      message: { content: [{ type: "tool_use", id: "0", name: "Bash", input: { command: LOOK } }] },
    },
    { type: "user", message: { content: [{ type: "tool_result", tool_use_id: "0" }] } },
    { type: "assistant", message: { content: [{ type: "text", text }] } },
    { type: "result", is_error: false, session_id: "s", result: text },
  ];
}
