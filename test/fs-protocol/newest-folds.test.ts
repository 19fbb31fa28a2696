import { expect, test } from "vitest";
import { need } from "../../src/base/fatal.ts";
import type { Role } from "../../src/base/role.ts";
import { newestFolds, roleSnapshots } from "../../src/fs-protocol/home/role-snapshots.ts";
import { KeptFolds } from "../../src/session/state/kept-folds.ts";
import { RoleTroubles } from "../../src/session/state/role-troubles.ts";
import { sessionLogs } from "../../src/session/state/session-logs.ts";
import { TurnLedger } from "../../src/session/state/turn-ledger.ts";
import { readSnapshot, writeSnapshot } from "../../src/fs-protocol/codec/snapshot-file.ts";
import { homeAt } from "../../src/fs-protocol/home/home.ts";
import { MemoryFiles } from "../rig/memory-files.ts";
import { SESSION } from "../rig/session.ts";

const PROGRAM = { code: "c0de", nodeVersion: "v20.20.2" };
const HOME = homeAt("/repository/.wisp/sessions/demo");

function owner(files: MemoryFiles) {
  return { files, session: SESSION, program: PROGRAM };
}

function folds(files: MemoryFiles, role: Role) {
  return roleSnapshots({ ...owner(files), role })("folds");
}

test("a process that only reads continues from what a role kept last", () => {
  let newestPath = "";
  const files = new (class extends MemoryFiles {
    override stat(path: string) {
      const stat = super.stat(path);
      return stat && { ...stat, changedMs: path === newestPath ? 2 : 1 };
    }
  })();
  expect(newestFolds(owner(files))).toBe(undefined);
  for (const role of ["tester", "builder", "reviewer"] as const) {
    writeSnapshot(files, folds(files, role), role);
    newestPath = folds(files, role).path;
    const newest = newestFolds(owner(files));
    expect(newest && readSnapshot(files, newest)).toBe(role);
  }
});

test("what a role of another program kept is not believed", () => {
  const files = new MemoryFiles();
  writeSnapshot(files, folds(files, "builder"), "builder");
  const program = { ...PROGRAM, nodeVersion: "v22.0.0" };
  const newest = newestFolds({ ...owner(files), program });
  expect(newest && readSnapshot(files, newest)).toBe(undefined);
});

test("a process that only reads replaces nothing that a role kept, however much it reads", () => {
  const files = new MemoryFiles();
  writeSnapshot(files, folds(files, "builder"), new Map());
  const before = files.stat(folds(files, "builder").path);
  const place = newestFolds(owner(files));
  const troubles = new RoleTroubles();
  const turns = new TurnLedger();
  const logs = sessionLogs(files, HOME, SESSION, { listeners: [], isContinued: true });
  const kept = new KeptFolds(files, place ?? folds(files, "builder"), { logs, turns, troubles });
  kept.begin();
  need(files.append(HOME.humanLog, Buffer.from("a line\n".repeat(1_000_000))));
  need(logs.human.refresh());
  kept.keep();
  expect(files.stat(folds(files, "builder").path)).toEqual(before);
});
