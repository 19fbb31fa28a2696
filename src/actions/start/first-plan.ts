import { createHash } from "node:crypto";
import type { CompiledRequest } from "../../session/rules/compile-request.ts";
import { HumanRecord } from "../../fs-protocol/records/human-log.ts";
import { encodeRecord } from "../../fs-protocol/codec/record-codec.ts";

/** The initial content of a home if the request already is a plan. */
export interface FirstPlan {
  /** Hash of the plan, which is staged under it. */
  readonly sha256: string;
  readonly bytes: Uint8Array;
  /** The line of human.log: the builder adopts it like any plan of a person. */
  readonly record: string;
}

/** Records a compiled request as the person's first plan. */
export function firstPlan({ text, plan }: CompiledRequest, time: string): FirstPlan {
  const sha256 = createHash("sha256").update(text).digest("hex");
  const record = encodeRecord(HumanRecord, {
    kind: "edit",
    time,
    plan: sha256,
    request: 0,
    milestones: [...plan.milestones],
    ticks: [...plan.ticks],
    cleared: [...plan.cleared],
  });
  return { sha256, bytes: Buffer.from(text), record };
}
