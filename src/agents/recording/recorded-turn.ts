import { z } from "zod";
import { lateObject } from "../../base/late-object.ts";
import { Oid } from "../../base/oid.ts";
import { CassetteFile } from "../../engines/replay/cassette-schema.ts";
import { FailureClass } from "../../fs-protocol/records/failure-class.ts";

const { on, do: steps } = CassetteFile.shape.turns.element.shape;
const Point = lateObject(() => ({ head: Oid, tree: Oid }));

/** One turn of a recording: `turns/<output>.json`, written once when the turn has ended. */
export const RecordedTurn = lateObject(() => ({
  version: z.literal(1),
  /** Full key of the unit, including commit ids, which differ in a replay. */
  unit: z.string().min(1),
  on,
  outcome: z.enum(["ended", "needs-input", "blocked", "failed", "stopped"]),
  failure: FailureClass.optional(),
  before: Point,
  after: Point,
  /** Steps that repeat the changes to the clone, the changes to the plan or its boxes, and the answer. */
  work: steps,
  tasks: steps,
  said: steps,
}));
export type RecordedTurn = z.infer<typeof RecordedTurn>;
