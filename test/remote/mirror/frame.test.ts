import fc from "fast-check";
import { expect, test } from "vitest";
import { FRAME_BYTES_MAX, FRAME_HEADER_BYTES_MAX } from "../../../src/base/limits.ts";
import {
  encodeFrame,
  FrameDecoder,
  type Frame,
  type FrameHeader,
} from "../../../src/remote/mirror/frame.ts";
import { SEED } from "../../rig/share.ts";
import { value } from "../../git/rig.ts";

const RUNS = { seed: SEED, numRuns: 200 };

const path = fc.constantFrom("logs/builder.log", "revision-1/TASKS.md", "logs/turns/1/äöü \n.out");
const oid = fc.constant("a".repeat(40));
const bodies = fc.uint8Array({ maxLength: 40 });
const frames: fc.Arbitrary<Frame> = fc
  .tuple(bodies, path, fc.nat(), fc.boolean(), fc.boolean(), oid, fc.nat(6))
  .map(([body, at, offset, isFirst, isLast, commit, kind]) => {
    const none = new Uint8Array();
    const bytes = body.length;
    const withBody: FrameHeader[] = [
      { kind: "append", path: at, at: offset, bytes },
      { kind: "replace", path: at, isFirst, isLast, bytes },
      { kind: "bundle", isFirst, isLast, bytes },
    ];
    const without: FrameHeader[] = [
      { kind: "hello", version: 1 },
      { kind: "remove", path: at },
      { kind: "beat", alive: { ".": ["supervisor"] } },
      { kind: "refs", refs: [{ ref: "refs/heads/ä", oid: commit }] },
    ];
    const header = [...withBody, ...without][kind] ?? { kind: "same" };
    return { header, bytes: kind < withBody.length ? body : none };
  });

function decode(chunks: readonly Uint8Array[]): readonly Frame[] {
  const decoder = new FrameDecoder();
  return chunks
    .flatMap((chunk) => value(decoder.push(chunk)))
    .map(({ header, bytes }) => ({ header, bytes: new Uint8Array(bytes) }));
}

test("frames are the same in whatever pieces their bytes arrive", () => {
  fc.assert(
    fc.property(fc.array(frames, { maxLength: 8 }), fc.array(fc.nat()), (sent, cuts) => {
      const all = Buffer.concat(sent.map(({ header, bytes }) => encodeFrame(header, bytes)));
      const at = [0, ...cuts.map((cut) => cut % (all.length + 1)), all.length];
      at.sort((one, other) => one - other);
      const chunks = at.slice(1).map((end, index) => all.subarray(at[index], end));
      expect(decode(chunks)).toEqual(sent);
      expect(decode([...all].map((byte) => Uint8Array.of(byte)))).toEqual(sent);
    }),
    RUNS,
  );
});

const file = { kind: "append", path: "TASKS.md", at: 0, bytes: 1 };
const part = { kind: "replace", path: "TASKS.md", isFirst: true, isLast: true };
const HOSTILE: readonly unknown[] = [
  null,
  [],
  "same",
  {},
  { kind: "constructor" },
  { kind: "hello", version: 2 },
  { ...file, bytes: -1 },
  { ...file, bytes: 0.5 },
  { ...file, bytes: "1" },
  { ...file, bytes: FRAME_BYTES_MAX + 1 },
  { ...file, at: -1 },
  { ...file, at: 1.5 },
  { ...file, at: 2 ** 60 },
  { ...part, bytes: Number.MAX_SAFE_INTEGER },
  { ...part, bytes: 0, isFirst: 1 },
  { kind: "bundle", isFirst: true, isLast: true, bytes: 2 ** 40 },
  { kind: "refs", refs: [{ ref: "refs/heads/x", oid: "main" }] },
  { kind: "refs", refs: Array(51).fill({ ref: "r", oid: "a".repeat(40) }) },
  { kind: "beat", alive: { ".": ["root"] } },
  { kind: "remove", path: 7 },
];

test.each(HOSTILE.map((header) => JSON.stringify(header)))("no frame begins with %s", (text) => {
  const pushed = new FrameDecoder().push(Buffer.from(`${text}\n`));
  expect(pushed).toMatchObject({ ok: false, failure: { kind: "bad-frame" } });
});

test.each([
  "",
  "{",
  "\0\0\0",
  '{"kind":"same"}\0',
  "[".repeat(FRAME_HEADER_BYTES_MAX - 1),
  "\ufffd{}",
])("what is no JSON is refused", (text) => {
  const pushed = new FrameDecoder().push(Buffer.from(`${text}\n`));
  expect(pushed).toMatchObject({ ok: false, failure: { kind: "bad-frame" } });
});

test("a header that never ends is refused once it is longer than any header", () => {
  const decoder = new FrameDecoder();
  const chunk = Buffer.alloc(1024, 0x20);
  let taken = 0;
  while (decoder.push(chunk).ok) taken += chunk.length;
  expect(taken).toBeLessThanOrEqual(FRAME_HEADER_BYTES_MAX);
});

test("any bytes give frames or a failure, and nothing is thrown", () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 50 })), fc.array(frames), (noise, sent) => {
      const decoder = new FrameDecoder();
      for (const { header, bytes } of sent) value(decoder.push(encodeFrame(header, bytes)));
      for (const bytes of noise) {
        const pushed = decoder.push(bytes);
        if (!pushed.ok) expect(pushed.failure.kind).toBe("bad-frame");
        if (!pushed.ok) return;
      }
    }),
    RUNS,
  );
});

test("the longest body that arrives byte by byte takes time in proportion to its length", () => {
  const decoder = new FrameDecoder();
  const body = new Uint8Array(FRAME_BYTES_MAX).fill(7);
  const header: FrameHeader = { kind: "append", path: "TASKS.md", at: 0, bytes: body.length };
  const found = [...encodeFrame(header, body)].flatMap((byte) =>
    value(decoder.push(Uint8Array.of(byte))),
  );
  expect(found).toHaveLength(1);
  expect(found[0]?.bytes.every((byte) => byte === 7)).toBe(true);
});
