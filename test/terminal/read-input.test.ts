import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { DOCUMENT_BYTES_MAX } from "../../src/base/limits.ts";
import { readInput } from "../../src/terminal/read-input.ts";

test("a terminal is refused before anything is read from it", async () => {
  const input = Object.assign(Readable.from([Buffer.from("typed")]), { isTTY: true });
  expect(await readInput(input)).toMatchObject({
    ok: false,
    failure: { kind: "request-at-terminal" },
  });
  expect(input.readableDidRead).toBe(false);
});

test("an input is read to its end, and no further than a request may be long", async () => {
  const whole = Readable.from([Buffer.from("# A"), Buffer.from("\n")]);
  expect(await readInput(whole)).toEqual({ ok: true, value: Buffer.from("# A\n") });
  function* endless() {
    for (;;) yield Buffer.alloc(DOCUMENT_BYTES_MAX / 4, "a");
  }
  expect(await readInput(Readable.from(endless()))).toMatchObject({
    failure: { kind: "request-too-large" },
  });
});

test("an input that cannot be read is a failure with its cause", async () => {
  for (const [code, kind] of [
    ["EISDIR", "request-no-file"],
    ["EIO", "file"],
  ] as const) {
    const input = new Readable({
      read() {
        this.destroy(Object.assign(new Error(code), { code }));
      },
    });
    expect(await readInput(input)).toMatchObject({ ok: false, failure: { kind } });
  }
});
