import type { z } from "zod";
import { ROLES, type Role } from "../../src/base/role.ts";
import { present } from "../../src/base/assert.ts";
import type { turnRecords } from "../../src/fs-protocol/records/turn-records.ts";
import { checkSession } from "../rig/check-session.ts";

type TurnRecord = z.infer<(typeof turnRecords)[number]>;
type RecordOf<K extends TurnRecord["kind"]> = Extract<TurnRecord, { readonly kind: K }>;

/** A turn of a session, by its two records. */
export interface RecordedTurn {
  readonly role: Role;
  readonly begin: RecordOf<"turn.begin">;
  readonly end: RecordOf<"turn.end">;
}

/** The turns of a session that have ended, by role, in the order in which they began. */
export function turnsOf(home: string): readonly RecordedTurn[] {
  const { history } = checkSession(home);
  return ROLES.flatMap((role) => {
    const records: readonly { readonly kind: string }[] = history[role].records;
    const ends = new Map(records.filter(isEnd).map((end) => [end.output, end]));
    return records.filter(isBegin).flatMap((begin) => {
      const end = ends.get(begin.output);
      return end === undefined ? [] : [{ role, begin, end }];
    });
  });
}

/** The only turn with a purpose. */
export function turnFor(turns: readonly RecordedTurn[], purpose: string): RecordedTurn {
  return present(
    turns.find(({ begin }) => begin.purpose === purpose),
    `there is a turn for ${purpose}`,
  );
}

/** The holds on engines that a role recorded. */
export function holdsOf(home: string, role: Role): readonly RecordOf<"limited">[] {
  const records: readonly { readonly kind: string }[] = checkSession(home).history[role].records;
  return records.filter(isHold);
}

function isBegin(record: { readonly kind: string }): record is RecordOf<"turn.begin"> {
  return record.kind === "turn.begin";
}

function isEnd(record: { readonly kind: string }): record is RecordOf<"turn.end"> {
  return record.kind === "turn.end";
}

function isHold(record: { readonly kind: string }): record is RecordOf<"limited"> {
  return record.kind === "limited";
}
