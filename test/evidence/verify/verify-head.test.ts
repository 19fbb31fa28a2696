import { expect, test } from "vitest";
import { worseThanBefore, verifyHead } from "../../../src/evidence/verify/verify-head.ts";
import { EMPTY_BUILDER } from "../../../src/session/state/builder-state.ts";
import { stateWith } from "../../model/hand-made.ts";
import { sessionRig } from "../../agents/role-rig.ts";
import { PASSED } from "../../agents/turns.ts";

test.each([
  [
    { kind: "judged" },
    "red",
    /^verify fails with these tests: .*false exited with 1 \(logs\/turns\//,
  ],
  [{ kind: "accepted" }, "asbase", undefined],
] as const)(
  "red without names after red without names, with the base %j, is %s",
  async (baseOutcome, verify, reason) => {
    using rig = sessionRig();
    const { context } = rig.role("tester", () => PASSED, { session: { verify: [["false"]] } });
    const at = rig.session.base;
    const state = { ...stateWith({}), builder: { ...EMPTY_BUILDER, baseOutcome } };
    const unit = "final:1";
    expect(await verifyHead(context, state, { unit, at })).toMatchObject({ verify });
    const looked = await worseThanBefore(context, state, { unit, at, before: at });
    expect(looked.kind).toBe("checked");
    const why = looked.kind === "checked" ? looked.reason : "";
    if (reason === undefined) expect(why).toBeUndefined();
    else expect(why).toMatch(reason);
  },
);
