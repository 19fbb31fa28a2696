import { afterEach, expect, test } from "vitest";
import { onFailpoint } from "../../../src/base/ports/failpoint.ts";
import { FRAME_BYTES_MAX } from "../../../src/base/limits.ts";
import { Random } from "../../rig/random.ts";
import { SEED } from "../../rig/share.ts";
import { value } from "../../git/rig.ts";
import { ChangingHome } from "./changing-home.ts";
import { everything, mirrored, mirrorRig, put, type MirrorRig, type MirrorSide } from "./rig.ts";

afterEach(() => onFailpoint(undefined));

class Killed extends Error {}

/** Runs something that dies at the `nth` point that it passes; returns whether it died. */
async function diesAt(nth: number, act: () => Promise<void>): Promise<boolean> {
  let passed = 0;
  onFailpoint(() => {
    passed += 1;
    // A dead process does not clean up either.
    if (passed >= nth) throw new Killed();
  });
  try {
    await act();
    return false;
  } catch (thrown) {
    if (!(thrown instanceof Killed)) throw thrown;
    return true;
  } finally {
    onFailpoint(undefined);
  }
}

/** What a place answers to what is here, sent before anything is killed. */
async function answerTo(rig: MirrorRig, side: MirrorSide): Promise<Buffer> {
  const sent: Uint8Array[] = [];
  const sender = rig.sender((bytes) => Promise.resolve(void sent.push(bytes)));
  await sender.greet(side.request());
  await sender.look(true);
  return Buffer.concat(sent);
}

test("wherever a follower is killed, the next one makes the mirror the same, and nothing else is left", async () => {
  using rig = mirrorRig();
  put(rig.far.directory, "logs/builder.log", "one\n");
  put(rig.far.directory, "edits/a/b.md", "x\n");
  await rig.bringUp(rig.mirror("before"));
  let points = 0;
  for (let nth = 1, isKilled = true; isKilled; nth++) {
    const side = rig.mirror(`killed-${String(nth)}`);
    put(side.home.directory, "logs/builder.log", "on");
    put(side.home.directory, "edits/a/gone.md", "gone\n");
    put(side.home.directory, "TASKS.md", "old\n");
    const answer = await answerTo(rig, side);
    const taker = side.taker();
    isKilled = await diesAt(nth, async () => value(await taker.take(answer)));
    await rig.bringUp(side);
    const { "place.json": _, ...here } = everything(side.home.directory);
    expect(here).toEqual(mirrored(rig.far));
    points += 1;
  }
  expect(points).toBeGreaterThan(20);
});

test.each([1, 2, 3])(
  "a follower that is killed again and again while the home changes never shows what it never was (%d)",
  async (nth) => {
    using rig = mirrorRig();
    const random = Random.for(SEED, `killed-follower ${String(nth)}`);
    const home = new ChangingHome(rig.far.directory, random);
    const side = rig.mirror();
    put(rig.far.directory, "report.html", "r".repeat(2 * FRAME_BYTES_MAX));
    for (let times = 0; times < 25; times++) {
      for (let changes = random.below(5); changes > 0; changes--) home.change();
      const answer = await answerTo(rig, side);
      const taker = side.taker();
      await diesAt(random.between(1, 60), async () => value(await taker.take(answer)));
      home.expectPast(side);
    }
    await rig.bringUp(side);
    expect(everything(side.home.directory)).toEqual(mirrored(rig.far));
  },
);
