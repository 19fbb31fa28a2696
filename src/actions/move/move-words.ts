import { EXIT } from "../../base/exit-code.ts";
import { refusal, type Words } from "../../base/failure.ts";
import { shellWord } from "../../base/words/shell-word.ts";
import { shown } from "../../base/words/shown.ts";
import type { HandoverAction, HandoverRefusal } from "../../session/rules/handover.ts";

/** A move that cannot go on. */
export interface MoveFacts {
  readonly session: string;
  /** Where it is to move. */
  readonly to: string;
  /** Where the person wants it, if that is one move further. */
  readonly goal?: string | undefined;
  /** The side that it is about. */
  readonly at: string;
  readonly why: HandoverRefusal["why"] | "busy";
}

/** A move cannot go on now; it goes on where it was when the command is run again. */
export const MoveRefused = refusal("move-refused", EXIT.failure, moveWords);
export type MoveRefused = ReturnType<typeof MoveRefused>;

function moveWords({ session, to, goal, at, why }: MoveFacts): Words {
  const where = at === "here" ? "This repository" : shown(at);
  const again = `wisp move ${shellWord(session)} ${shellWord(goal ?? to)}`;
  const byForce = `wisp move ${shellWord(session)} ${shellWord(to)} --force`;
  const here = `wisp move ${shellWord(session)} here`;
  const name = shown(session);
  switch (why) {
    case "unreachable":
      if (at === to) return noWayThere({ session, to });
      return [
        `${where} cannot be reached, and ${name} may be going on there. Nothing was changed.`,
        "Try again when it can be reached. If it is lost for good, go on with what is here, without what was recorded and committed there since it was last heard:",
        again,
        `${here} --force`,
      ];
    case "gone":
      return [
        `${name} was on ${where}, and its files there do not exist any more.`,
        WITHOUT_REST,
        `${here} --force`,
      ];
    case "holds-more":
      return [
        `${where} has records of ${name} that ${at === "here" ? "the other machine does not have" : "are not here"}. They were left where they are.`,
        "To give them up:",
        byForce,
      ];
    case "two-owners":
      return [
        `${name} goes on at both sides, since it was moved by force.`,
        "Decide which side to keep. The records that only the other side has are lost then:",
        byForce,
      ];
    case "elsewhere":
      return [`${name} is being moved to another place already.`, "Undo that move first:", here];
    case "no-home":
      return [
        `No files of ${name} were found at either side. Nothing was changed.`,
        "To see your sessions:",
        "wisp list",
      ];
    case "busy":
      return [
        `Processes of ${name} start again and again at ${where}, so it could not be moved now.`,
        "Nothing is lost. End what starts them, then run the same command again:",
        again,
      ];
  }
}

const WITHOUT_REST =
  "Go on with what is here, without what was recorded and committed there since it was last heard:";

function noWayThere({ session, to }: Pick<MoveFacts, "session" | "to">): Words {
  return [
    `${shown(to)} cannot be reached, so ${shown(session)} cannot move there now. Nothing of it is lost.`,
    "Try again when it can be reached, or go on with it here:",
    `wisp move ${shellWord(session)} ${shellWord(to)}`,
    `wisp move ${shellWord(session)} here`,
  ];
}

/** A session is at one place, and was to move to another one by force, which is about one place only. */
export const MoveHereFirst = refusal(
  "move-here-first",
  EXIT.usage,
  ({ session, at, to }: { readonly session: string; readonly at: string; readonly to: string }) => [
    `${shown(session)} is on ${shown(at)}. --force gives up what one side has, so it does not go with a move from there to ${shown(to)}.`,
    "Move it here by force first, then on:",
    `wisp move ${shellWord(session)} here --force`,
    `wisp move ${shellWord(session)} ${shellWord(to)}`,
  ],
);

/** A session is here and was to move on, but what it left behind at a place could not be ended yet. */
export const LeftUnreached = refusal(
  "left-unreached",
  EXIT.failure,
  ({ session, at, to }: { readonly session: string; readonly at: string; readonly to: string }) => [
    `${shown(session)} is here, but may still be running on ${shown(at)}, which cannot be reached. It does not move on before that is ended.`,
    `When ${shown(at)} can be reached again, run the same command again:`,
    `wisp move ${shellWord(session)} ${shellWord(to)}`,
  ],
);

/** What a step does, for people. */
export function stepWords(step: HandoverAction, session: string): string {
  const at = step.at === "here" ? "here" : `on ${shown(step.at)}`;
  switch (step.kind) {
    case "create":
      return `Making a place ${at}`;
    case "stop-roles":
      return `Ending the processes of ${session} ${at}; the work of running turns is kept`;
    case "append-moved":
      return step.record.to === step.at
        ? `Recording that ${session} goes on ${at}`
        : `Recording that ${session} moves ${step.record.to === "here" ? "here" : `to ${shown(step.record.to)}`}`;
    case "send":
      return `Sending the files of ${session} ${step.at === "here" ? "here" : `to ${shown(step.at)}`}`;
    case "check":
      return `Comparing what arrived ${at}, and putting it in place`;
    case "mirror-back":
      return `Noting that nothing may change ${session} ${at} any more`;
    case "own":
      return `From now on, ${session} is ${at}`;
    case "destroy":
      return `Removing the place ${at}`;
  }
}

/** What `--force` may lose. */
export function lossWords({ session, at, why }: MoveFacts): string {
  const where = at === "here" ? "this repository" : shown(at);
  if (why === "unreachable") {
    return `Everything that ${session} recorded and committed on ${where} since it was last heard may be lost. If it still runs there, it goes on at both until ${where} can be reached again.`;
  }
  if (why === "gone") {
    return `Everything that ${session} recorded and committed on ${where} since it was last heard is lost.`;
  }
  return `Records of ${session} that only ${where} has are lost.`;
}
