import { Subject } from "rxjs";
import { expect, test } from "vitest";
import type { WatchHint } from "../../src/base/ports/watcher.ts";
import { HumanRecord } from "../../src/fs-protocol/records/human-log.ts";
import { encodeRecord } from "../../src/fs-protocol/codec/record-codec.ts";
import { recordsOf } from "../../src/streams/records-of.ts";
import { MemoryFiles } from "../rig/memory-files.ts";
import { human } from "../rig/records.ts";

const PATH = "/session/logs/human.log";

/** A log, hints about it, and what a subscriber receives. */
function rig() {
  const files = new MemoryFiles();
  const hint$ = new Subject<WatchHint>();
  const record$ = recordsOf({ files, path: PATH, schema: HumanRecord }, hint$);
  const append = (...records: readonly HumanRecord[]) => {
    const lines = records.map((record) => encodeRecord(HumanRecord, record)).join("");
    files.append(PATH, Buffer.from(lines));
  };
  const listen = () => {
    const received: string[] = [];
    const subscription = record$.subscribe({
      next: (read) => received.push(read.ok ? read.value.kind : read.failure.errno),
      error: (thrown: unknown) => received.push(String(thrown)),
      complete: () => received.push("|"),
    });
    return { received, subscription };
  };
  return { files, hint$, append, listen };
}

test("existing records come first, then each new one, once", () => {
  const { append, hint$, listen } = rig();
  append(human.say("pause"));
  const { received } = listen();
  expect(received).toEqual(["pause"]);
  append(human.say("resume"), human.say("stop"));
  hint$.next({ path: PATH });
  hint$.next({ path: PATH });
  expect(received).toEqual(["pause", "resume", "stop"]);
});

test("a hint about a directory above means this file, too; one about another file does not", () => {
  const { append, hint$, listen, files } = rig();
  const { received } = listen();
  append(human.say("pause"));
  let reads = 0;
  files.fault = () => {
    reads += 1;
    return undefined;
  };
  hint$.next({ path: "/session/logs/builder.log" });
  hint$.next({ path: "/session/REVIEWS.md" });
  expect(reads).toBe(0);
  hint$.next({ path: "/session/logs" });
  expect(received).toEqual(["pause"]);
  append(human.say("resume"));
  hint$.next({ path: "/session" });
  expect(received).toEqual(["pause", "resume"]);
});

test("a half-written record waits for the read that finds its end", () => {
  const { files, hint$, listen } = rig();
  const { received } = listen();
  const line = encodeRecord(HumanRecord, human.say("stop"));
  files.write(PATH, line.slice(0, 20));
  hint$.next({ path: PATH });
  expect(received).toEqual([]);
  files.write(PATH, line);
  hint$.next({ path: PATH });
  expect(received).toEqual(["stop"]);
});

test("bad lines are passed over", () => {
  const { files, append, listen } = rig();
  append(human.say("pause"));
  files.append(PATH, Buffer.from("stop!\n"));
  append(human.say("resume"));
  expect(listen().received).toEqual(["pause", "resume"]);
});

test("a failed read is reported, and the next hint continues from the same place", () => {
  const { files, append, hint$, listen } = rig();
  const { received } = listen();
  append(human.say("pause"));
  files.fault = () => "EIO";
  hint$.next({ path: PATH });
  files.fault = () => undefined;
  hint$.next({ path: PATH });
  expect(received).toEqual(["EIO", "pause"]);
});

test("the records of a file that was replaced come again", () => {
  const { files, append, hint$, listen } = rig();
  append(human.say("pause"));
  const { received } = listen();
  files.replace(PATH, Buffer.from(encodeRecord(HumanRecord, human.say("stop"))));
  hint$.next({ path: PATH });
  expect(received).toEqual(["pause", "stop"]);
});

test("each subscription reads from the start, and ends with the hints", () => {
  const { append, hint$, listen } = rig();
  append(human.say("pause"));
  const [first, second] = [listen(), listen()];
  append(human.say("resume"));
  hint$.next({ path: PATH });
  expect([first.received, second.received]).toEqual([
    ["pause", "resume"],
    ["pause", "resume"],
  ]);
  first.subscription.unsubscribe();
  hint$.complete();
  expect(second.received.at(-1)).toBe("|");
  expect(first.received.at(-1)).toBe("resume");
});
