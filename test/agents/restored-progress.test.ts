import { expect, test } from "vitest";
import { createJournal } from "../../src/work/journal.ts";
import { Projector } from "../../src/home/projector.ts";
import type { Restored } from "../../src/home/restored-record.ts";
import { SharedFiles } from "../../src/home/shared-files.ts";
import { shortLockOf } from "../../src/base/ports/locks.ts";
import { homeAt } from "../../src/fs-protocol/home/home.ts";
import { z } from "zod";
import { SESSION } from "../rig/session.ts";
import { memoryPorts, type MemoryPorts } from "./memory-ports.ts";

const HOME = homeAt("/repo/.wisp/sessions/demo");

const Said = z.strictObject({ kind: z.literal("said"), time: z.string(), text: z.string() });

/** A role that appends notes to PROGRESS.txt; several share one home. */
function role(ports: MemoryPorts, name: string) {
  const restored: Restored[] = [];
  const journal = createJournal(ports, `/${name}.log`, Said);
  const shared = new SharedFiles({ ports, home: HOME, session: SESSION });
  const projector = new Projector({
    ...ports,
    shared,
    onRestored: (one) => void restored.push(one),
    path: `/${name}.log`,
    schema: Said,
    empty: 0,
    reduce: (count) => count + 1,
    project: ({ text }) => [{ path: HOME.progress, text }],
  });
  return {
    restored,
    look: async () => {
      restored.push(...(await shared.restoreChanged()));
    },
    start: () => projector.reconcile(),
    say: async (...texts: readonly string[]) => {
      journal.append(
        ...texts.map((text) => ({ kind: "said" as const, time: journal.time(), text })),
      );
      await projector.advance();
    },
  };
}

async function twoRoles() {
  const ports = memoryPorts();
  const reviewer = role(ports, "reviewer");
  const builder = role(ports, "builder");
  for (const one of [reviewer, builder]) await one.start();
  await reviewer.say("[Review] one\n");
  await builder.say("[Fix] two\n");
  await reviewer.say("[Review] three\n");
  const progress = () => ports.files.textOf(HOME.progress);
  const edit = (change: (text: string) => string) => {
    const text = change(progress());
    ports.files.remove(HOME.progress);
    ports.files.write(HOME.progress, text);
  };
  return { ports, reviewer, builder, progress, edit };
}

const WHOLE = "[Review] one\n[Fix] two\n[Review] three\n";

const DAMAGES: readonly (readonly [string, string, (text: string) => string])[] = [
  ["emptied", "cut", () => ""],
  ["cut within a block", "cut", (text) => text.slice(0, -4)],
  ["changed by a word", "edited", (text) => text.replace("two", "none")],
  ["stripped of a block", "edited", (text) => text.replace("[Fix] two\n", "")],
  [
    "reordered",
    "edited",
    (text) =>
      text
        .split(/(?<=\n)/)
        .reverse()
        .join(""),
  ],
];

/** A file that is only shorter holds no foreign text. */
function copyOf(found: string): string | undefined {
  return found === "cut" ? undefined : "edits/PROGRESS.txt.1";
}

test.each(DAMAGES)(
  "PROGRESS.txt that was %s is restored once, by the first role that checks",
  async (_how, found, damage) => {
    const { reviewer, builder, progress, edit } = await twoRoles();
    edit(damage);
    await builder.look();
    expect(progress()).toBe(WHOLE);
    expect(builder.restored).toEqual([{ path: HOME.progress, found, copy: copyOf(found) }]);
    await reviewer.look();
    expect(progress()).toBe(WHOLE);
    expect(reviewer.restored).toEqual([]);
  },
);

test.each(DAMAGES)(
  "PROGRESS.txt that was %s is restored before the next block is appended, with each block once",
  async (_how, found, damage) => {
    const { reviewer, progress, edit } = await twoRoles();
    edit(damage);
    await reviewer.say("[Review] four\n");
    expect(progress()).toBe(`${WHOLE}[Review] four\n`);
    expect(reviewer.restored).toEqual([{ path: HOME.progress, found, copy: copyOf(found) }]);
  },
);

test.each(DAMAGES)(
  "PROGRESS.txt that was %s while no role ran is restored by the first role that starts",
  async (_how, found, damage) => {
    const { ports, progress, edit } = await twoRoles();
    edit(damage);
    const again = role(ports, "builder");
    await again.start();
    expect(progress()).toBe(WHOLE);
    expect(again.restored).toEqual([{ path: HOME.progress, found, copy: copyOf(found) }]);
  },
);

test("a removed PROGRESS.txt is restored", async () => {
  const { ports, builder, progress } = await twoRoles();
  ports.files.remove(HOME.progress);
  await builder.look();
  expect(progress()).toBe(WHOLE);
  expect(builder.restored).toEqual([{ path: HOME.progress, found: "missing" }]);
});

test("appended lines stay, and are restored from then on", async () => {
  const { builder, reviewer, progress, edit } = await twoRoles();
  edit((text) => `${text}A note of mine.\n`);
  await builder.look();
  expect(builder.restored).toEqual([]);
  edit((text) => text.replace("A note of mine.\n", ""));
  await reviewer.look();
  expect(progress()).toBe(`${WHOLE}A note of mine.\n`);
});

test("lines that the holder of the lock is about to copy make nobody else wait for it", async () => {
  const { ports, builder, progress, edit } = await twoRoles();
  const lock = shortLockOf(HOME.progress);
  ports.files.write(lock, "");
  ports.locked.length = 0;
  edit((text) => `${text}[Test] four\n`);
  await builder.look();
  expect(ports.locked).toEqual([]);
  edit((text) => text.replace("[Review] one\n", ""));
  await builder.look();
  expect(progress()).toBe(WHOLE);
  expect(builder.restored).toEqual([
    { path: HOME.progress, found: "edited", copy: copyOf("edited") },
  ]);
  edit((text) => `${text}[Test] four\n`);
  ports.files.remove(lock);
  await builder.look();
  expect(ports.locked).toEqual([HOME.progress, HOME.progress]);
});

test("blocks that one append to the journal records are written with one lock and one append", async () => {
  const { ports, reviewer, progress } = await twoRoles();
  ports.locked.length = 0;
  await reviewer.say("[Review] four\n", "[Review] five\n", "[Review] six\n");
  expect(ports.locked).toEqual([HOME.progress]);
  expect(progress()).toBe(`${WHOLE}[Review] four\n[Review] five\n[Review] six\n`);
});

test("a recorded block that is neither in the file nor in the copy is appended at start", async () => {
  const { ports, progress } = await twoRoles();
  const journal = createJournal(ports, "/builder.log", Said);
  journal.append({ kind: "said", time: journal.time(), text: "[Fix] killed before this\n" });
  await role(ports, "builder").start();
  expect(progress()).toBe(`${WHOLE}[Fix] killed before this\n`);
});
