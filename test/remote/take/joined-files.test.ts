import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ok } from "../../../src/base/result.ts";
import { createHost } from "../../../src/host/host.ts";
import { eachJoined, joinFiles } from "../../../src/remote/take/joined-files.ts";
import { value } from "../../git/rig.ts";

const host = createHost();

function joined(contents: Readonly<Record<string, Buffer>>) {
  const root = mkdtempSync(join(tmpdir(), "wisp-joined-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const parts = Object.entries(contents).map(([name, bytes], at) => {
    const path = join(root, `source-${String(at)}`);
    writeFileSync(path, bytes);
    return { name, path };
  });
  const path = join(root, "joined");
  value(joinFiles(host, path, parts));
  for (const part of parts) rmSync(part.path);
  const taken = new Map<string, Buffer>();
  const take = async () =>
    eachJoined(host, { path, scratch: root }, (file) => {
      taken.set(file.name, readFileSync(file.path));
      return Promise.resolve(ok(undefined));
    });
  return { root, path, take, taken };
}

const CONTENTS = {
  empty: Buffer.alloc(0),
  "a line\nof text, and “quotes”": Buffer.from("one\ntwo\n"),
  large: Buffer.alloc(700_000, 7),
  last: Buffer.from([0, 255]),
};

test("joined files are apart again as they were, and nothing else is left", async () => {
  const { root, take, taken } = joined(CONTENTS);
  expect(value(await take())).toBe(true);
  expect(Object.fromEntries(taken)).toEqual(CONTENTS);
  expect(readdirSync(root)).toEqual(["joined"]);
});

test("files that are cut off are a failure, and those before them are whole", async () => {
  const { root, path, take, taken } = joined(CONTENTS);
  truncateSync(path, 500_000);
  expect(await take()).toMatchObject({ ok: false, failure: { kind: "file" } });
  expect([...taken.keys()]).toEqual(["empty", "a line\nof text, and “quotes”"]);
  expect(readdirSync(root)).toEqual(["joined"]);
});

test("a file that was not joined is none", async () => {
  const { path, take } = joined({});
  writeFileSync(path, "{}\n");
  expect(value(await take())).toBe(false);
  writeFileSync(path, "no line");
  expect(value(await take())).toBe(false);
});
