import fc from "fast-check";
import { expect, test } from "vitest";
import { boundedLines, type TooLong } from "../../src/mcp/bounded-lines.ts";

const BYTES_MAX = 10_000;

/** The output line by line, and the answers. */
function through(chunks: readonly string[]): {
  readonly lines: readonly string[];
  readonly answers: readonly TooLong[];
} {
  const answers: TooLong[] = [];
  const cut = boundedLines(BYTES_MAX, (answer) => void answers.push(answer));
  const lines = chunks.flatMap((chunk) => cut(Buffer.from(chunk)));
  return { lines: lines.map((line) => Buffer.from(line).toString()), answers };
}

const LONG = "x".repeat(BYTES_MAX * 3);

test.each([
  ["first", `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":"${LONG}"}`, 7],
  ["first, as text", `{"method":"a", "id" : "q-1","params":"${LONG}"}`, "q-1"],
  ["last", `{"method":"tools/call","params":{"a":"${LONG}"},"jsonrpc":"2.0","id":8}`, 8],
  ["nowhere", LONG, null],
  ["only inside its parameters", `{"params":{"id":9,"a":"${LONG}"}}`, null],
])("answers a message that is too long with its id, which is %s", (_, line, id) => {
  const next = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n';
  const { lines, answers } = through([`${line}\n${next}`]);
  expect(lines).toEqual([next]);
  expect(answers).toMatchObject([{ jsonrpc: "2.0", id, error: { code: -32_600 } }]);
});

test("lines within the limit come out whole however they are cut into chunks", () => {
  const line = fc.oneof(
    fc.string({ unit: "grapheme-ascii", maxLength: 30 }),
    fc.constant("y".repeat(BYTES_MAX)),
    fc.constant(LONG),
  );
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 8 }),
      fc.integer({ min: 1, max: 2 * BYTES_MAX }),
      (texts, size) => {
        const all = texts.map((text) => `${text}\n`).join("");
        const chunks: string[] = [];
        for (let at = 0; at < all.length; at += size) chunks.push(all.slice(at, at + size));
        const { lines, answers } = through(chunks.length > 2_000 ? [all] : chunks);
        expect(lines).toEqual(texts.filter((text) => text !== LONG).map((text) => `${text}\n`));
        expect(answers).toHaveLength(texts.filter((text) => text === LONG).length);
      },
    ),
  );
});

test("an endless line uses only as much memory as its two ends", () => {
  const chunks = Array.from({ length: 2_000 }, () => LONG);
  const { lines, answers } = through([...chunks, "\nnext\n"]);
  expect(lines).toEqual(["next\n"]);
  expect(answers).toHaveLength(1);
});
