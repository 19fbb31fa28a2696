import { expect, test } from "vitest";
import { checkFix } from "../../../src/evidence/integrity/check-fix.ts";
import type { Finding } from "../../../src/fs-protocol/records/finding.ts";
import { verifyStep } from "../../../src/session/steps/verify-step.ts";
import { commit, put } from "../../rig/in-process-session.ts";
import { builder, finding, reviewer, sha } from "../../rig/records.ts";
import { sessionRig, write, type SessionRig } from "../../agents/role-rig.ts";

const TESTS = `test("adds", () => { expect(add(1, 2)).toBe(3); });
test("takes zero", () => { expect(add(0, 0)).toBe(0); });
`;

/** Checks a fix after which `test/add.test.js` has this text. */
async function lookedAt(
  rig: SessionRig,
  text: string,
  issue = "It is wrong.",
  others: readonly Finding[] = [],
) {
  const clone = await rig.role("builder").context.clone();
  await clone.syncTo();
  const publish = async (tests: string) => {
    put(clone.directory, "test/add.test.js", tests);
    put(clone.directory, "add.js", `// ${String(tests.length)}\n`);
    commit(clone.directory, "Work");
    const head = await clone.head();
    if (!head.ok) throw new Error("there is no HEAD");
    await clone.publish(head.value);
    return head.value;
  };
  const start = await publish(TESTS);
  const end = await publish(text);
  const item = finding("COR-00000a", { issue });
  const also = others.map(({ id, brief }) => ({ id, brief }));
  const unit = "fix:COR-00000a:1";
  const fix = { id: item.id, attempt: 1, outcome: "fixed", sha: end } as const;
  write(rig.at, {
    builder: [
      builder.build({ m: "One", outcome: "partial", commits: [start] }),
      builder.fix({ ...fix, unit, also }),
    ],
    reviewer: [
      reviewer.commit(1, {
        checkpoint: start,
        findings: [item, ...others],
        unit: `commit:${sha(1)}`,
      }),
    ],
  });
  const step = verifyStep({ ...fix, unit, reason: undefined });
  return checkFix(rig.role("reviewer").context, await rig.at.state(), step);
}

const WITHOUT_ONE = TESTS.replace(/test\("takes.*\n/, "");

test("a fix that does not change tests is judged by its opener", async () => {
  using rig = sessionRig();
  expect(await lookedAt(rig, `${TESTS}// more\n`)).toEqual({ kind: "asks", evidence: "" });
});

test("a fix that removes a test which the finding does not mention is reopened", async () => {
  using rig = sessionRig();
  const said = await lookedAt(rig, WITHOUT_ONE);
  expect(said).toMatchObject({ kind: "done", value: { kind: "reopened" } });
  expect(JSON.stringify(said)).toContain('\\"takes zero\\": deleted');
});

test("if the finding is about the test, its opener decides and is informed", async () => {
  using rig = sessionRig();
  const said = await lookedAt(rig, WITHOUT_ONE, 'Delete "takes zero": it says nothing more.');
  expect(said.kind).toBe("asks");
  expect(said.kind === "asks" && said.evidence).toContain('"takes zero": deleted');
});

test("if a fix only weakens tests, its opener is informed", async () => {
  using rig = sessionRig();
  const said = await lookedAt(rig, TESTS.replace("toBe(3)", "toBeTruthy()"));
  expect(said.kind === "asks" && said.evidence).toContain('"adds": lets more pass');
});

test("a change that another finding of the same batch asks for does not count against this fix", async () => {
  using rig = sessionRig();
  const other = finding("COR-00000b", { issue: 'Delete "takes zero": it says nothing more.' });
  const said = await lookedAt(rig, WITHOUT_ONE, "It is wrong.", [other]);
  expect(said.kind === "asks" && said.evidence).toContain('"takes zero": deleted');
});
