import fc from "fast-check";
import { expect, test } from "vitest";
import { TurnOutput } from "../../src/views/timeline/turn-output.ts";
import { transcript } from "../engines-unit/events/transcripts.ts";
import { MemoryFiles } from "../rig/memory-files.ts";

const OUT = "/turns/x.out";

/** The lines for people from an output that grows piece by piece. */
function shown(engine: string, pieces: readonly Uint8Array[], path = OUT): readonly string[] {
  const files = new MemoryFiles();
  const output = new TurnOutput(files, { base: "/turns/x", engine });
  const lines: string[] = [];
  const print = ({ text }: { readonly text: string }) => lines.push(text);
  let whole = Buffer.alloc(0);
  for (const piece of pieces) {
    whole = Buffer.concat([whole, piece]);
    expect(files.replace(path, whole)).toMatchObject({ ok: true });
    expect(output.read(print)).toMatchObject({ ok: true });
  }
  output.end(print);
  return lines;
}

const bytes = (text: string) => Buffer.from(text);

test("shows a turn of claude as text, tool calls and their results", () => {
  const lines = shown("claude", [transcript("claude-2.1.197-ok")]);
  expect(lines[0]).toMatch(/^session [0-9a-f-]+ · /u);
  expect(lines.some((line) => line.startsWith("▸ "))).toBe(true);
  expect(lines.at(-1)).toBe("reports success");
});

test("shows retries, errors and refusals", () => {
  const lines = shown("claude", [transcript("claude-2.1.197-retry")]).join("\n");
  expect(lines).toContain("retrying: ");
});

test("shows both streams of a command as plain text", () => {
  expect(
    shown("command", [bytes("one\n  two\nthr"), bytes("one\n  two\nthree").subarray(13)]),
  ).toEqual(["one", "  two", "three"]);
  expect(shown("replay", [bytes("warned\n")], "/turns/x.err")).toEqual(["warned"]);
});

test("an output gives the same lines however it is cut into pieces", () => {
  const whole = transcript("claude-2.1.197-ok");
  const expected = shown("claude", [whole]);
  const sizes = fc.array(fc.integer({ min: 1, max: 5_000 }), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(sizes, (lengths) => {
      const pieces: Uint8Array[] = [];
      let at = 0;
      for (const length of [...lengths, whole.length]) {
        pieces.push(whole.subarray(at, at + length));
        at += length;
      }
      expect(shown("claude", pieces)).toEqual(expected);
    }),
    { numRuns: 20 },
  );
});

test("removes control characters from hostile text, wherever it comes from", () => {
  const evil = "\u001b]0;title\u0007\u001b[2J\rgone\u202e\u009b31m";
  const line = JSON.stringify({
    type: "assistant",
    message: { content: [{ type: "text", text: `said ${evil}` }] },
  });
  const shownLines = [
    ...shown("command", [bytes(`${evil}\n`)]),
    ...shown("claude", [bytes(`${line}\n`)]),
  ];
  expect(shownLines.length).toBeGreaterThan(1);
  for (const text of shownLines) expect(text).not.toMatch(/(?!\t)[\p{Cc}\p{Cf}]/u);
});

test("garbage causes no exception and prints no control characters", () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 400 }),
      fc.constantFrom("claude", "acp"),
      (junk, engine) => {
        for (const text of shown(engine, [junk])) expect(text).not.toMatch(/[\p{Cc}]/u);
      },
    ),
    { numRuns: 50 },
  );
});
