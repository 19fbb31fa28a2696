import { EXIT } from "../base/exit-code.ts";
import { refusal, type Words } from "../base/failure.ts";
import { shellWord } from "../base/words/shell-word.ts";
import { shown } from "../base/words/shown.ts";
import type { OddKind } from "../fs-protocol/home/home-issue.ts";
import { ODD_WORDS } from "./home/shape-words.ts";

/** How many entries are listed. Only staged plans can exceed that. */
const NAMED_MAX = 60;

interface Damage {
  readonly session: string;
  readonly branch: string;
  /** Paths relative to the home. */
  readonly odd: readonly {
    readonly path: string;
    readonly is: OddKind;
    readonly expected: "file" | "directory";
  }[];
  /** Logs whose file and copy are both gone. */
  readonly lost: readonly string[];
}

/** A session's home contains an entry that wisp does not open, or its record of the work is lost. */
export const HomeDamaged = refusal("home-damaged", EXIT.failure, damageWords);
export type HomeDamaged = ReturnType<typeof HomeDamaged>;

interface Removal {
  readonly session: string;
  readonly branch: string;
  readonly repository: string;
  /** Absolute path of the missing file or directory. */
  readonly missing: string;
}

/** The home or `session.json` of a session was removed, although the state directory lists the session. */
export const HomeRemoved = refusal(
  "home-removed",
  EXIT.failure,
  ({ session, branch, missing }: Removal) => [
    `${shown(missing)} is missing, and ${shown(session)} cannot continue without it.`,
    `Its work is on the branch ${shown(branch)}, and copies of its logs are left. This restores it:`,
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
      `Without it, wisp cannot tell what was done. The work is on the branch ${shown(branch)}. This closes the session and keeps the commits:`,
      damagedWayOn(damage),
    ];
  }
  return [
    message,
    "wisp opens none of them. This moves them aside, unchanged, and restores or recreates what wisp needs:",
    damagedWayOn(damage),
  ];
}

/** A damaged home and the command to run, on one line. */
export function damagedWords(damage: HomeDamaged): string {
  return `its home is damaged: ${entryWords(damage)}; run: ${damagedWayOn(damage)}`;
}

/** The command to run when a home is damaged. */
export function damagedWayOn({ session, odd }: Damage): string {
  return odd.length === 0 ? `wisp abandon ${shellWord(session)}` : repairCommand(session);
}

function repairCommand(session: string): string {
  return `wisp fsck ${shellWord(session)} --repair`;
}

function entryWords({ odd, lost }: Damage): string {
  const entries = odd.map(
    ({ path, is, expected }) =>
      `${shown(path)} is ${ODD_WORDS[is]}, where wisp expects a ${expected}`,
  );
  const gone = lost.map((path) => `${shown(path)} is missing, and no copy of it is left`);
  const all = [...entries, ...gone];
  const named = all.slice(0, NAMED_MAX).join("; ");
  const rest = all.length > NAMED_MAX ? `; and ${String(all.length - NAMED_MAX)} more` : "";
  return `${named}${rest}`;
}
