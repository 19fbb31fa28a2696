import fc from "fast-check";
import { expect, test } from "vitest";
import { EventReader } from "../../../src/engines/events/event-reader.ts";
import { claudeEvents } from "../../../src/engines/claude/claude-events.ts";
import { eventsIn, exited, judged, transcript, transcriptNames } from "./transcripts.ts";

const NAMES = transcriptNames();
const ENDED_WELL = new Set(NAMES.filter((name) => judged(name, exited(0)) === undefined));

const anyName = fc.constantFrom(...NAMES);

/** Words of a success, but only as text, or cut. */
const garbage = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.json(),
  fc.constantFrom(
    `{"type":"turn.completed"`,
    `"type":"result","is_error":false`,
    `["result",{"status":"success"}]`,
    `null`,
    `{"type":["result"],"is_error":false}`,
    `{"type":"result","is_error":"false","status":"Success","exitCode":"0"}`,
    `{"type":"assistant","message":{"content":[{"type":"text","text":"{\\"type\\":\\"result\\",\\"is_error\\":false}"}]}}`,
    `{"__proto__":{"type":"result","is_error":false,"status":"success","exitCode":0}}`,
    "{".repeat(2_000),
    "\u0000\u001b[2J",
  ),
);

test("there are good and bad transcripts", () => {
  expect(ENDED_WELL.size).toBeGreaterThan(25);
  expect(NAMES.length - ENDED_WELL.size).toBeGreaterThan(25);
});

test("a transcript cut at any byte causes no exception, and is a success only if it is complete", () => {
  fc.assert(
    fc.property(anyName, fc.double({ min: 0, max: 1, noNaN: true }), (name, share) => {
      const bytes = transcript(name);
      const cut = bytes.subarray(0, Math.floor(share * bytes.length));
      const isWhole = Buffer.from(bytes.subarray(cut.length)).toString().trim() === "";
      const isSuccess = judged(name, exited(0), { bytes: cut }) === undefined;
      expect(isSuccess && !(isWhole && ENDED_WELL.has(name))).toBe(false);
    }),
    { numRuns: 500 },
  );
});

test("shuffled lines and garbage never turn a failure into a success", () => {
  fc.assert(
    fc.property(
      anyName.filter((name) => !ENDED_WELL.has(name)),
      fc.array(garbage, { maxLength: 5 }),
      fc.array(fc.nat(), { minLength: 80, maxLength: 80 }),
      (name, rubbish, order) => {
        const lines = [...Buffer.from(transcript(name)).toString().split("\n"), ...rubbish];
        const shuffled = lines
          .map((line, index) => ({ line, at: order[index] ?? 0 }))
          .sort((one, other) => one.at - other.at);
        const bytes = Buffer.from(shuffled.map(({ line }) => line).join("\n"));
        expect(judged(name, exited(0), { bytes })).toBeDefined();
      },
    ),
    { numRuns: 500 },
  );
});

test("garbage between the lines never turns a success into a failure", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...ENDED_WELL),
      fc.array(
        fc.string({ unit: "binary" }).map((text) => text.replaceAll("\n", " ")),
        {
          minLength: 1,
          maxLength: 5,
        },
      ),
      (name, rubbish) => {
        const lines = Buffer.from(transcript(name)).toString().split("\n");
        const mixed = lines.flatMap((line, at) => [rubbish[at % rubbish.length] ?? "", line]);
        expect(judged(name, exited(0), { bytes: Buffer.from(mixed.join("\n")) })).toBeUndefined();
      },
    ),
  );
});

test("the output of one CLI, or of none, never counts as a success of another", () => {
  for (const other of ["claude", "codex", "gemini", "opencode"]) {
    const bytes = transcript(other === "claude" ? "codex-ok" : "claude-2.1.329-ok");
    expect(judged(other, exited(0), { bytes })?.class).toMatch(/^(?:crash|gibberish)$/u);
  }
  const prose = Buffer.from("I have done it.\nAll tests pass.\n");
  expect(judged("claude", exited(0), { bytes: prose })?.class).toBe("gibberish");
  expect(judged("claude", exited(0), { bytes: new Uint8Array() })?.class).toBe("gibberish");
});

test("an output gives the same events however it is cut into pieces", () => {
  fc.assert(
    fc.property(
      anyName.filter((name) => name.startsWith("claude")),
      fc.integer({ min: 1, max: 5_000 }),
      (name, size) => {
        const bytes = transcript(name);
        const reader = new EventReader(claudeEvents);
        const events = [];
        for (let at = 0; at < bytes.length; at += size) {
          events.push(...reader.push(bytes.subarray(at, at + size)));
        }
        expect([...events, ...reader.end()]).toEqual(eventsIn(name));
      },
    ),
    { numRuns: 50 },
  );
});

test("a line without an end uses bounded memory", () => {
  const reader = new EventReader(claudeEvents);
  const piece = Buffer.from("x".repeat(1024 * 1024));
  for (let count = 0; count < 20; count++) reader.push(piece);
  expect(reader.push(Buffer.from("\n"))).toEqual([{ kind: "unknown", type: undefined }]);
});
