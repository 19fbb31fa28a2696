import { EXIT } from "../base/exit-code.ts";
import { refusal, type Words } from "../base/failure.ts";
import { shellWord } from "../base/words/shell-word.ts";
import { shown } from "../base/words/shown.ts";
import type { OddKind } from "../fs-protocol/home/home-issue.ts";
import { ODD_WORDS } from "./home/shape-words.ts";

/** Entries that are named; there are no more places than that but for staged plans. */
const NAMED_MAX = 60;

interface Damage {
  readonly session: string;
  readonly branch: string;
  /** Paths from the home on. */
  readonly odd: readonly {
    readonly path: string;
    readonly is: OddKind;
    readonly expected: "file" | "directory";
  }[];
  /** Logs of which neither the file nor a copy is left. */
  readonly lost: readonly string[];
}

/** In a session's home lies what wisp does not open, or what was done cannot be told any more. */
export const HomeDamaged = refusal("home-damaged", EXIT.failure, damageWords);
export type HomeDamaged = ReturnType<typeof HomeDamaged>;

interface Removal {
  readonly session: string;
  readonly branch: string;
  readonly repository: string;
  /** Absolute path of what is not there. */
  readonly missing: string;
}

/** The home of a session that the state directory knows was removed, or its `session.json`. */
export const HomeRemoved = refusal(
  "home-removed",
  EXIT.failure,
  ({ session, branch, missing }: Removal) => [
    `${shown(missing)} is not there, and ${shown(session)} cannot go on without it.`,
    `Its work is on the branch ${shown(branch)}, and copies of its logs are left. This puts it back:`,
    repairCommand(session),
  ],
);
export type HomeRemoved = ReturnType<typeof HomeRemoved>;

function damageWords(damage: Damage): Words {
  const { session, branch, odd } = damage;
  const message = `The home of ${shown(session)} is damaged: ${entryWords(damage)}.`;
  if (odd.length === 0) {
    return [
      message,
      `What was done cannot be told without it. The work is on the branch ${shown(branch)}. This closes the session and keeps the commits:`,
      damagedWayOn(damage),
    ];
  }
  return [
    message,
    "wisp opens none of them. This moves them aside, unchanged, and puts back or makes again what wisp needs:",
    damagedWayOn(damage),
  ];
}

/** A damaged home and the way on, on one line. */
export function damagedWords(damage: HomeDamaged): string {
  return `its home is damaged: ${entryWords(damage)}; the way on: ${damagedWayOn(damage)}`;
}

/** The command that leads on from a damaged home. */
export function damagedWayOn({ session, odd }: Damage): string {
  return odd.length === 0 ? `wisp abandon ${shellWord(session)}` : repairCommand(session);
}

function repairCommand(session: string): string {
  return `wisp fsck ${shellWord(session)} --repair`;
}

function entryWords({ odd, lost }: Damage): string {
  const entries = odd.map(
    ({ path, is, expected }) => `${shown(path)} is ${ODD_WORDS[is]}, where wisp has a ${expected}`,
  );
  const gone = lost.map((path) => `${shown(path)} is not there, and no copy of it is left`);
  const all = [...entries, ...gone];
  const named = all.slice(0, NAMED_MAX).join("; ");
  const rest = all.length > NAMED_MAX ? `; and ${String(all.length - NAMED_MAX)} more` : "";
  return `${named}${rest}`;
}
