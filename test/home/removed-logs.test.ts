import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { need } from "../../src/base/fatal.ts";
import type { Files } from "../../src/base/ports/files.ts";
import { LogFold } from "../../src/fs-protocol/codec/log-fold.ts";
import { homeAt, roleLog } from "../../src/fs-protocol/home/home.ts";
import { guardedFiles } from "../../src/home/own-files.ts";
import { Projector } from "../../src/home/projector.ts";
import { createHost } from "../../src/host/host.ts";
import { createJournal } from "../../src/work/journal.ts";
import { SESSION } from "../rig/session.ts";

const Said = z.strictObject({ kind: z.literal("said"), time: z.string(), text: z.string() });

/** What happens before the calls of these numbers, from 1. */
function interrupted(files: Files, events: ReadonlyMap<number, () => void>) {
  let count = 0;
  const proxy = new Proxy(files, {
    get: (target, name, receiver) => {
      const value: unknown = Reflect.get(target, name, receiver);
      if (typeof value !== "function") return value;
      return (...args: readonly unknown[]): unknown => {
        count += 1;
        events.get(count)?.();
        return Reflect.apply(value, target, args);
      };
    },
  });
  return { files: proxy, count: () => count };
}

const LINES = ["a\n", "b\n", "c\n"];

/**
 * A reviewer writes three lines, each recorded in its log and then in its checkpoint. Before the call `at`, the folder of
 * its logs is removed, and `gap` calls later somebody makes it again. If that ends the process, the next one goes on.
 */
async function written(at: number, gap: number) {
  const root = mkdtempSync(join(tmpdir(), "wisp-"));
  const home = homeAt(join(root, "home"));
  const made = () => mkdirSync(home.logs, { recursive: true });
  made();
  writeFileSync(home.sessionJson, "{}\n");
  const session = { ...SESSION, state: join(root, "state") };
  const { files: disk, clock, locks } = createHost();
  const events = new Map([
    [at + gap, made],
    [at, () => rmSync(home.logs, { recursive: true, force: true })],
  ]);
  if (gap === 0)
    events.set(at, () => (rmSync(home.logs, { recursive: true, force: true }), made()));
  const one = interrupted(disk, events);
  const log = roleLog(home, "reviewer");
  const path = home.reviewerCheckpoint;
  const go = async () => {
    const files = guardedFiles({ role: "reviewer", home, session, files: one.files, clock });
    const journal = createJournal({ files, clock }, log, Said);
    const reader = new LogFold<typeof Said, readonly string[]>({
      ...{ files, path: log, schema: Said, empty: [] },
      reduce: (texts, { text }) => [...texts, text],
    });
    const projector = new Projector({
      ...{ files, locks, path: log, schema: Said, empty: 0, reduce: (sum: number) => sum + 1 },
      project: ({ text }) => [{ path, text }],
    });
    await projector.reconcile();
    const next = () => LINES.find((line) => !need(reader.refresh()).includes(line));
    for (let text = next(); text !== undefined; text = next()) {
      journal.append({ kind: "said", time: journal.time(), text });
      await projector.advance();
    }
    await projector.advance();
  };
  try {
    await go().catch(() => undefined);
    const calls = one.count();
    made();
    await go();
    return { calls, found: readFileSync(path, "utf8"), log: readFileSync(log, "utf8") };
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

test("wherever the folder of a role's logs is removed while it writes, its files have each line once", async () => {
  const whole = await written(0, 0);
  expect(whole.found).toBe(LINES.join(""));
  expect(whole.calls).toBeGreaterThan(20);
  const wrong: string[] = [];
  for (let at = 1; at <= whole.calls; at++) {
    for (const gap of [0, 1, 2, 3, 5, 8, 1000]) {
      const { found, log } = await written(at, gap).catch((error: unknown) => ({
        found: String(error),
        log: "",
      }));
      const recorded = [...log.matchAll(/ said text="(\w)/gu)].map(([, line = ""]) => `${line}\n`);
      if (found !== recorded.join(""))
        wrong.push(`${String(at)} +${String(gap)}: ${JSON.stringify(found)} ${log}`);
    }
  }
  expect(wrong).toEqual([]);
});
