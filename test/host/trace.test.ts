import fc from "fast-check";
import { appendFileSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { SpanRecorder, type EndedSpan } from "../../src/host/trace/span-recorder.ts";
import { TraceFile, type TraceEvent } from "../../src/host/trace/trace-file.ts";
import { crossings, isWithin } from "../rig/trace.ts";
import { scratch } from "./scratch.ts";

const FIRST: TraceEvent = { ph: "M", name: "process_name", pid: 1, tid: 1, args: { name: "wisp" } };
const event = (name: string): TraceEvent => ({ ph: "X", name, ts: 1, dur: 1, args: {} });

function opened(path: string, bytesMax?: number): TraceFile {
  const file = TraceFile.open(path, FIRST, bytesMax);
  if (!file.ok) throw new Error(JSON.stringify(file.failure));
  return file.value;
}

function namesIn(path: string): readonly unknown[] {
  const events: unknown = JSON.parse(`${readFileSync(path, "utf8")}]`);
  return Array.isArray(events) ? events.map((one: { name: unknown }) => one.name) : [];
}

test("two writers share a new trace, which is an array without its closing bracket after every write", () => {
  using folder = scratch();
  const path = folder.at("trace.json");
  const [one, other] = [opened(path), opened(path)];
  for (const [index, file] of [one, other, one].entries()) {
    file.append([event(`hostile "\n},{ \ud800 ${String(index)}`)]);
    expect(namesIn(path)).toHaveLength(index + 2);
  }
  expect(namesIn(path)[0]).toBe("process_name");
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("an empty file becomes a trace; another file, a folder and a link are refused and left as they are", () => {
  using folder = scratch();
  const [empty, notes, link] = [folder.at("empty"), folder.at("notes"), folder.at("link")];
  writeFileSync(empty, "");
  opened(empty);
  expect(namesIn(empty)).toEqual(["process_name"]);
  writeFileSync(notes, "[\n1]");
  symlinkSync(empty, link);
  expect(TraceFile.open(notes, FIRST)).toEqual({ ok: false, failure: { kind: "other-content" } });
  expect(readFileSync(notes, "utf8")).toBe("[\n1]");
  for (const [path, errno] of [
    [folder.path, "EISDIR"],
    [link, "ELOOP"],
    [folder.at("missing/trace"), "ENOENT"],
  ] as const) {
    expect(TraceFile.open(path, FIRST)).toEqual({ ok: false, failure: { kind: "errno", errno } });
  }
});

const HALF = `,${JSON.stringify(event("half"))}`;

test("half a line of a killed process spoils nothing, wherever it was cut and whoever writes next", () => {
  using folder = scratch();
  for (let length = 1; length < HALF.length; length++) {
    const path = folder.at(`trace-${String(length)}`);
    const survivor = opened(path);
    survivor.append([event("before")]);
    appendFileSync(path, HALF.slice(0, length));
    if (length % 2 === 0) survivor.append([event("after")]);
    else opened(path).append([event("after")]);
    expect(namesIn(path)).toEqual(["process_name", "before", "after"]);
  }
});

test("half a line that another process wrote behind is removed when the next process opens the trace", () => {
  using folder = scratch();
  const path = folder.at("trace.json");
  opened(path);
  // The survivor looked before the other process was killed in its write.
  appendFileSync(path, `,{"ph":"X","na,${JSON.stringify(event("joined"))}\n`);
  expect(() => namesIn(path)).toThrow(SyntaxError);
  opened(path).append([event("after")]);
  expect(namesIn(path)).toEqual(["process_name", "after"]);
});

test("a line that is still being written is not touched", () => {
  using folder = scratch();
  const path = folder.at("trace.json");
  opened(path);
  appendFileSync(path, HALF.slice(0, 20));
  opened(path);
  appendFileSync(path, `${HALF.slice(20)}\n`);
  expect(namesIn(path)).toEqual(["process_name", "half"]);
});

test("a trace ends at its size limit, and says so once for each process", () => {
  using folder = scratch();
  const path = folder.at("trace.json");
  const file = opened(path, 1_000);
  for (let count = 0; count < 100; count++) file.append([event(`event ${String(count)}`)]);
  expect(file.end).toBe("full");
  expect(readFileSync(path).length).toBeLessThan(1_200);
  const names = namesIn(path);
  expect(names.filter((name) => name === "the trace was cut at 1000 bytes")).toHaveLength(1);
  expect(names.at(-1)).toBe("the trace was cut at 1000 bytes");
});

/** A recorder whose clock advances with each look, so that no two times are equal. */
function recording() {
  const ended: EndedSpan[] = [];
  let nowUs = 0;
  const recorder = new SpanRecorder(
    () => (nowUs += 1),
    (span) => ended.push(span),
  );
  const events = () =>
    ended.map(({ name, facts: args, lane: tid, startUs: ts, endUs }) => {
      return { name, pid: 1, tid, ts, dur: endUs - ts, args };
    });
  return { recorder, ended, events };
}

const step = (name: string) => ({ category: "step", name }) as const;

test("work inside other work is on its lane; work at the same time is on another", async () => {
  const { recorder, events } = recording();
  await recorder.span(step("outer"), async () => {
    await Promise.all(
      ["one", "other"].map((name) =>
        recorder.span(step(name), async () => {
          await Promise.resolve();
          recorder.span(step(`in ${name}`), () => undefined);
        }),
      ),
    );
  });
  const lanes = Object.fromEntries(events().map(({ name, tid }) => [name, tid]));
  expect(lanes).toEqual({ outer: 1, one: 1, "in one": 1, other: 2, "in other": 2 });
});

test("work that goes on after what began it gives its lane back at its end", async () => {
  const { recorder, events } = recording();
  const begun: Promise<void>[] = [];
  recorder.span(step("first"), () => {
    begun.push(recorder.span(step("longer"), () => turns(1)));
  });
  await begun[0];
  recorder.span(step("next"), () => undefined);
  expect(events().map(({ name, tid }) => [name, tid])).toEqual([
    ["first", 2],
    ["longer", 1],
    ["next", 1],
  ]);
});

interface Tree {
  readonly inner: readonly Tree[];
  /** How many turns of the event loop it takes before and after what is inside. */
  readonly waits: number;
  readonly isAwaited: boolean;
}

function trees(depth: number): fc.Arbitrary<Tree> {
  const inner = depth === 0 ? fc.constant([]) : fc.array(trees(depth - 1), { maxLength: 3 });
  return fc.record({ inner, waits: fc.nat(3), isAwaited: fc.boolean() });
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
}

test("however work overlaps, and goes on after what began it, the spans of a lane never cross", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(trees(3), { maxLength: 3 }), async (all) => {
      const { recorder, events } = recording();
      const begun: Promise<void>[] = [];
      const play = (tree: Tree, path: string): Promise<void> => {
        const playing = recorder.span(step(path), async () => {
          await turns(tree.waits);
          const inner = tree.inner.map((one, index) => ({
            one,
            done: play(one, `${path}.${String(index)}`),
          }));
          await turns(tree.waits);
          await Promise.all(inner.filter(({ one }) => one.isAwaited).map(({ done }) => done));
        });
        begun.push(playing);
        return playing;
      };
      all.forEach((tree, index) => void play(tree, String(index)));
      for (const playing of begun) await playing;
      await turns(1);
      expect(events()).toHaveLength(begun.length);
      expect(crossings(events())).toEqual([]);
    }),
  );
});

test("what is open when the process ends is shown as unfinished, inside what it was in", () => {
  const { recorder, events } = recording();
  void recorder.span(step("outer"), async () => {
    await recorder.span(step("inner"), () => new Promise(() => undefined));
  });
  recorder.close();
  const [inner, outer] = events();
  expect([inner?.name, outer?.name]).toEqual(["inner", "outer"]);
  expect([inner?.args, outer?.args]).toEqual([{ isUnfinished: true }, { isUnfinished: true }]);
  expect(inner !== undefined && outer !== undefined && isWithin(inner, outer)).toBe(true);
});

test("a step in which a unit begins is shown as that unit, with its outcome; failed work is marked", async () => {
  const { recorder, ended } = recording();
  await recorder.span(step("build"), async () => {
    recorder.unitBegan("build:API:1");
    await recorder.span({ category: "git", name: "git fetch" }, () => Promise.resolve());
    recorder.unitEnded("milestone");
  });
  const failed = recorder.span(step("fix"), () => Promise.reject(new Error("lost")));
  await expect(failed).rejects.toThrow("lost");
  expect(ended.map(({ category, name, facts }) => [category, name, facts])).toEqual([
    ["git", "git fetch", {}],
    ["unit", "build:API:1", { outcome: "milestone", unit: "build:API:1", step: "build" }],
    ["step", "fix", { isThrown: true }],
  ]);
});
