import { shown, type Words } from "./explanation.ts";
import type { HomeDamaged, HomeFailure } from "./home-failures.ts";
import { ODD_WORDS } from "./shape-words.ts";
import { shellWord } from "./shell-word.ts";

/** Entries that are named; there are no more places than that but for staged plans. */
const NAMED_MAX = 60;

/** Words for what became of a session's home. */
export function explainHome(failure: HomeFailure): Words<string> {
  const repair = `wisp fsck ${shellWord(failure.session)} --repair`;
  if (failure.kind === "home-removed") {
    const { session, branch, missing } = failure;
    return [
      `${shown(missing)} is not there, and ${shown(session)} cannot go on without it.`,
      `Its work is on the branch ${shown(branch)}, and copies of its logs are left. This puts it back:`,
      repair,
    ];
  }
  const { session, branch, odd } = failure;
  const message = `The home of ${shown(session)} is damaged: ${entryWords(failure)}.`;
  if (odd.length === 0) {
    return [
      message,
      `What was done cannot be told without it. The work is on the branch ${shown(branch)}. This closes the session and keeps the commits:`,
      `wisp abandon ${shellWord(session)}`,
    ];
  }
  return [
    message,
    "wisp opens none of them. This moves them aside, unchanged, and puts back or makes again what wisp needs:",
    repair,
  ];
}

/** A damaged home and the way on, on one line. */
export function damagedWords(failure: HomeDamaged): string {
  return `its home is damaged: ${entryWords(failure)}; the way on: ${damagedWayOn(failure)}`;
}

/** The command that leads on from a damaged home. */
export function damagedWayOn(failure: HomeDamaged): string {
  const [, , command = ""] = explainHome(failure);
  return command;
}

function entryWords({ odd, lost }: HomeDamaged): string {
  const entries = odd.map(
    ({ path, is, expected }) => `${shown(path)} is ${ODD_WORDS[is]}, where wisp has a ${expected}`,
  );
  const gone = lost.map((path) => `${shown(path)} is not there, and no copy of it is left`);
  const all = [...entries, ...gone];
  const named = all.slice(0, NAMED_MAX).join("; ");
  const rest = all.length > NAMED_MAX ? `; and ${String(all.length - NAMED_MAX)} more` : "";
  return `${named}${rest}`;
}
