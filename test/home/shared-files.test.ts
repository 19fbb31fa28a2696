import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { SharedFiles } from "../../src/home/shared-files.ts";
import { appendHuman, type HumanEntry } from "../../src/workspace/session/append-human.ts";
import { homeAt } from "../../src/fs-protocol/home/home.ts";
import type { Locks } from "../../src/base/ports/locks.ts";
import { ok } from "../../src/base/result.ts";
import { SESSION } from "../rig/session.ts";
import { MemoryFiles } from "../rig/memory-files.ts";

const HOME = homeAt("/repo/.wisp/sessions/demo");

/** A session's home in memory; each `reader()` is another process that reads it. */
function sharedHome() {
  const files = new MemoryFiles();
  let locked = 0;
  const locks: Pick<Locks, "withLock"> = {
    withLock: async (_path, critical) => {
      locked += 1;
      return ok(await critical());
    },
  };
  const said: string[] = [];
  const refused = () => Promise.reject(new Error("no leases here"));
  const ports = { files, locks: { ...locks, takeLease: refused, isLeaseHeld: refused } };
  const place = { home: HOME, session: SESSION };
  const host = { ...ports, clock: { nowMs: () => 0, sleep: () => Promise.resolve() } };
  const tell = (text: string) => void said.push(text);
  files.write(HOME.request, "# Request\n");
  files.write(HOME.humanLog, "");
  return {
    files,
    said,
    reader: () => new SharedFiles({ ports, ...place }),
    speak: (word: HumanEntry, env: Readonly<Record<string, string>> = {}) =>
      appendHuman({ host, env, tell }, place, () => word),
    update: (text: string) =>
      appendHuman({ host, env: {}, tell }, place, ({ updates }) => {
        files.write(HOME.request, text);
        const sha256 = createHash("sha256").update(text).digest("hex");
        return { kind: "update", v: updates + 1, sha256 };
      }),
    human: () => files.textOf(HOME.humanLog),
    get locked() {
      return locked;
    },
  };
}

const LOG_DAMAGES: readonly (readonly [string, string, (text: string) => string])[] = [
  ["emptied", "cut", () => ""],
  ["cut within a line", "cut", (text) => text.slice(0, -5)],
  [
    "reordered",
    "edited",
    (text) =>
      text
        .split(/(?<=\n)/)
        .reverse()
        .join(""),
  ],
  ["changed by one word", "edited", (text) => text.replace("pause", "resume")],
];

test.each(LOG_DAMAGES)(
  "human.log that was %s is restored once, by the first reader that checks",
  async (_how, found, damage) => {
    const at = sharedHome();
    const [one, other] = [at.reader(), at.reader()];
    for (const reader of [one, other]) expect(await reader.restoreChanged()).toEqual([]);
    await at.speak({ kind: "pause" });
    await at.speak({ kind: "stop" });
    const before = at.human();
    at.files.remove(HOME.humanLog);
    at.files.write(HOME.humanLog, damage(before));
    expect(await one.restoreChanged()).toEqual([
      { path: HOME.humanLog, found, copy: found === "edited" ? "edits/human.log.1" : undefined },
    ]);
    expect(at.human()).toBe(before);
    expect(await other.restoreChanged()).toEqual([]);
    expect(at.human()).toBe(before);
  },
);

test("a message sent after human.log was removed is appended to the earlier messages", async () => {
  const at = sharedHome();
  await at.speak({ kind: "pause" });
  const before = at.human();
  at.files.remove(HOME.humanLog);
  await at.speak({ kind: "stop" });
  expect(at.human().startsWith(before)).toBe(true);
  expect(at.human()).toMatch(/ pause\n.* stop\n$/);
  expect(at.said).toEqual(["logs/human.log was changed by someone else and restored."]);
});

test("lines that another program appended stay, and are restored from then on", async () => {
  const at = sharedHome();
  const reader = at.reader();
  await reader.restoreChanged();
  at.files.write(HOME.humanLog, "2026-11-20T12:00:00.000Z pause\n");
  expect(await reader.restoreChanged()).toEqual([]);
  at.files.write(HOME.humanLog, "");
  expect(await reader.restoreChanged()).toEqual([{ path: HOME.humanLog, found: "cut" }]);
  expect(at.human()).toBe("2026-11-20T12:00:00.000Z pause\n");
});

test("a check takes no lock while there is nothing to do", async () => {
  const at = sharedHome();
  await at.speak({ kind: "pause" });
  const before = at.locked;
  const reader = at.reader();
  for (let look = 0; look < 3; look++) expect(await reader.restoreChanged()).toEqual([]);
  expect(at.locked).toBe(before);
});

test("the request is restored, even after a person updated it", async () => {
  const at = sharedHome();
  const reader = at.reader();
  await reader.restoreChanged();
  at.files.write(HOME.request, "# Do something else\n");
  expect(await reader.restoreChanged()).toEqual([
    { path: HOME.request, found: "edited", copy: "edits/request.md.1" },
  ]);
  expect(at.files.textOf(HOME.request)).toBe("# Request\n");
  expect(at.files.textOf(`${HOME.edits}/request.md.1`)).toBe("# Do something else\n");
  await at.update("# Another\n");
  expect(await reader.restoreChanged()).toEqual([]);
  at.files.remove(HOME.request);
  expect(await at.reader().restoreChanged()).toEqual([{ path: HOME.request, found: "missing" }]);
  expect(at.files.textOf(HOME.request)).toBe("# Another\n");
});

test("a request that was replaced without an update is restored by the next command of a person", async () => {
  const at = sharedHome();
  await at.reader().restoreChanged();
  at.files.write(HOME.request, "# Half of an update\n");
  await at.speak({ kind: "pause" });
  expect(at.files.textOf(HOME.request)).toBe("# Request\n");
});

test("a process that an engine started cannot write human records to its own session", async () => {
  const at = sharedHome();
  const approve = (runId: string) => at.speak({ kind: "approve" }, { WISP_RUN_ID: runId });
  for (const runId of [`${HOME.directory}#builder`, `${HOME.directory}#reviewer+1`]) {
    expect(await approve(runId)).toEqual({ ok: false, failure: { kind: "engine-speaks" } });
  }
  expect(at.human()).toBe("");
  expect(await approve("/elsewhere/.wisp/sessions/demo#builder")).toMatchObject({ ok: true });
});
