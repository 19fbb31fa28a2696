import { afterEach, expect, test } from "vitest";
import { onFailpoint } from "../../src/base/ports/failpoint.ts";
import {
  readSnapshot,
  writeSnapshot,
  type SnapshotPlace,
} from "../../src/fs-protocol/codec/snapshot-file.ts";
import { createNodeFiles } from "../../src/host/files/node-files.ts";
import { scratch } from "./scratch.ts";

afterEach(() => onFailpoint(undefined));

/** Dies at the `nth` failpoint that it passes; returns whether it died. */
function diesAt(nth: number, act: () => void): boolean {
  let passed = 0;
  onFailpoint(() => {
    passed += 1;
    if (passed >= nth) throw new Error("killed");
  });
  try {
    act();
    return false;
  } catch (error) {
    expect(error).toEqual(new Error("killed"));
    return true;
  } finally {
    onFailpoint(undefined);
  }
}

test.each([undefined, "old"])(
  "wherever a process is killed that replaces a snapshot (%s), the next one finds the old one or the new one",
  (before) => {
    const found: unknown[] = [];
    for (let nth = 1, isKilled = true; isKilled; nth++) {
      using directory = scratch();
      const place: SnapshotPlace = { path: directory.at("kept"), key: () => "this", worthBytes: 1 };
      if (before !== undefined) writeSnapshot(createNodeFiles(), place, before);
      isKilled = diesAt(nth, () => {
        writeSnapshot(createNodeFiles(), place, "new");
      });
      const now = readSnapshot(createNodeFiles(), place);
      expect([before, "new"]).toContain(now);
      if (found.at(-1) !== now || nth === 1) found.push(now);
      writeSnapshot(createNodeFiles(), place, "next");
      expect(readSnapshot(createNodeFiles(), place)).toBe("next");
    }
    expect(found).toEqual([before, "new"]);
  },
);
