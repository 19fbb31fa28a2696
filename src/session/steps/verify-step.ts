import { present } from "../../base/assert.ts";
import type { FixAttempt } from "../state/builder-state.ts";
import { encodeUnit } from "../../fs-protocol/records/unit-key.ts";
import type { VerifyStep } from "./step.ts";

/** Returns the step in which the role that opened the item verifies its fix. */
export function verifyStep(fix: FixAttempt): VerifyStep {
  const sha = present(fix.sha, "a fix that did not fail names a commit");
  return {
    kind: "verify",
    fix,
    unit: encodeUnit({ kind: "verify", id: fix.id, sha, attempt: fix.attempt }),
  };
}
