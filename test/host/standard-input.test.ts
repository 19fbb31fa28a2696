import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { readStandardInput } from "../../src/host/system/standard-input.ts";

const BYTES_MAX = 4_096;

test("a terminal is refused before anything is read from it", async () => {
  const input = Object.assign(Readable.from([Buffer.from("typed")]), { isTTY: true });
  expect(await readStandardInput(BYTES_MAX, input)).toMatchObject({
    ok: false,
    failure: { kind: "terminal" },
  });
  expect(input.readableDidRead).toBe(false);
});

test("an input is read to its end, and no further than it may be long", async () => {
  const whole = Readable.from([Buffer.from("# A"), Buffer.from("\n")]);
  expect(await readStandardInput(BYTES_MAX, whole)).toEqual({
    ok: true,
    value: Buffer.from("# A\n"),
  });
  function* endless() {
    for (;;) yield Buffer.alloc(BYTES_MAX / 4, "a");
  }
  expect(await readStandardInput(BYTES_MAX, Readable.from(endless()))).toMatchObject({
    failure: { kind: "too-large" },
  });
});

test("an input that cannot be read is a failure with its cause", async () => {
  for (const code of ["EISDIR", "EIO"]) {
    const input = new Readable({
      read() {
        this.destroy(Object.assign(new Error(code), { code }));
      },
    });
    expect(await readStandardInput(BYTES_MAX, input)).toMatchObject({
      ok: false,
      failure: { kind: "unreadable", errno: code },
    });
  }
});
