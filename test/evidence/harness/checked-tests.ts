import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { commandKey } from "../../../src/evidence/verify/command-key.ts";
import { checkTests } from "../../../src/evidence/integrity/check-tests.ts";
import type { Oid } from "../../../src/base/oid.ts";
import type { BuilderRecord } from "../../../src/fs-protocol/records/builder-log.ts";
import type { Finding } from "../../../src/fs-protocol/records/finding.ts";
import { timeAt } from "../../rig/records.ts";
import { publishChange, type Change } from "../../agents/publish-change.ts";
import { sessionRig, write } from "../../agents/role-rig.ts";

export interface Project {
  readonly verify: readonly (readonly string[])[];
  readonly base: Readonly<Record<string, string>>;
  readonly change: Change;
  readonly tasks?: readonly string[];
  /** The output of verify at both ends. */
  readonly printed?: readonly [start: string, end: string];
}

export interface CheckedTests {
  readonly evidence: string;
  readonly findings: readonly Finding[];
  /** What is said to people besides. */
  readonly notes: readonly string[];
  /** The runs of old tests but those that confirm a red one: each outcome, and whether the old harness was used, too. */
  readonly ran: readonly string[];
}

/** Checks a range that makes this change to a project; verify was green at both ends. */
export async function checkedTests({
  verify,
  base,
  change,
  tasks = ["Add a parser"],
  printed,
}: Project): Promise<CheckedTests> {
  using rig = sessionRig();
  const clone = await rig.role("builder").context.clone();
  await clone.syncTo();
  const publish = (files: Change, message: string) => publishChange(clone, files, message);
  const start = await publish(base, "Start");
  const end = await publish(change, "Work");
  const verified = async (at: Oid): Promise<BuilderRecord> => {
    const tree = await clone.treeOf(at);
    return {
      kind: "verify.result",
      time: timeAt(0),
      at,
      tree: tree.ok ? tree.value : "",
      command: commandKey(verify.map((argv) => [...argv])),
      outcome: "passed",
      output: at,
    };
  };
  write(rig.at, { builder: [await verified(start), await verified(end)] });
  for (const [index, at] of [start, end].entries()) {
    if (printed !== undefined)
      writeFileSync(join(rig.at.home.turns, `${at}.out`), printed[index] ?? "");
  }
  const role = rig.role("reviewer");
  const session = { ...rig.session, verify: verify.map((argv) => [...argv]) };
  const context = { ...role.context, session };
  const seen = await checkTests(context, await rig.at.state(), {
    unit: "review:One:x",
    start,
    end,
    m: "One",
    tasks,
  });
  if (seen.kind !== "checked") throw new Error("it was stopped");
  const own = await role.context.clone();
  const dirty = await own.isDirty();
  if (!dirty.ok || dirty.value) throw new Error("the clone is not clean");
  const ran = role
    .recordsOf("command.result")
    .filter(({ command }) => !command.startsWith("again:"))
    .map(({ outcome, harness }) => `${outcome}${harness === undefined ? "" : " by old harness"}`);
  return { evidence: seen.evidence, findings: seen.findings, notes: seen.notes, ran };
}
