import { EXIT } from "../../base/exit-code.ts";
import { refusal, type Words } from "../../base/failure.ts";
import { shellWord } from "../../base/words/shell-word.ts";
import { shown } from "../../base/words/shown.ts";

interface Mends {
  readonly session: string;
  readonly parent: string;
  readonly asked: "revise" | "update";
}

/** A command for a parent session was given its revision. */
export const IsRevision = refusal(
  "is-revision",
  EXIT.usage,
  ({ session, parent, asked }: Mends) => [
    `${shown(session)} is itself a revision.`,
    asked === "revise"
      ? "When it has ended, fix what is still wrong in the next revision of the same session:"
      : "Its request is what was approved. When it has ended, make further changes in the next revision:",
    `wisp revise ${shellWord(parent)}`,
    `wisp abandon ${shellWord(session)}`,
  ],
);

/**
 * A session has a revision that has not ended: until then there is no other one, and the session
 * itself does not continue.
 */
export const RevisionUnfinished = refusal(
  "revision-unfinished",
  EXIT.failure,
  ({ revision }: { readonly session: string; readonly revision: string }) => [
    `${shown(revision)} has not ended, and only one session at a time can work on a branch.`,
    "Continue it, or abandon it:",
    `wisp resume ${shellWord(revision)}`,
    `wisp abandon ${shellWord(revision)}`,
  ],
);

interface Unasked {
  readonly session: string;
  readonly missing: "problems" | "approval" | "answer";
  /** The planner's question, if its answer is missing. */
  readonly question?: string | undefined;
  /** Shell words of a command that repeat the problems, so that nobody has to type them again. */
  readonly again?: string | undefined;
}

/** Problems have to be described, or a plan approved, and nobody can be asked. */
export const NobodyToAsk = refusal("nobody-to-ask", EXIT.inputNeeded, nobodyWords);

function nobodyWords({ session: id, missing, question = "", again: words }: Unasked): Words {
  const session = shellWord(id);
  const again = words === undefined ? "" : ` ${words}`;
  switch (missing) {
    case "problems":
      return [
        "wisp needs a description of the problems, and there is nobody to ask.",
        "Give them on the command line:",
        `wisp revise ${session} --problem "what is wrong" --yes`,
        `wisp revise ${session} --file feedback.md --yes`,
      ];
    case "approval":
      return [
        "The plan needs approval, and there is nobody to ask. Nothing was created.",
        "Run the command again in a terminal, or approve the plan in advance:",
        `wisp revise ${session}${again} --yes`,
      ];
    case "answer":
      return [
        `The planner has a question, and there is nobody to answer: ${shown(question)}`,
        "Nothing was created. Run the command again in a terminal, or answer in an additional problem:",
        `wisp revise ${session}${again}`,
        `wisp revise ${session}${again} --problem "the answer" --yes`,
      ];
  }
}

interface Unplanned {
  readonly session: string;
  readonly reason: string;
  /** The file in which the problems are kept. */
  readonly problems: string;
  /** The engine whose turn failed; absent if none did. */
  readonly engine?: string | undefined;
  /** The file with the engine's last output. */
  readonly output?: string | undefined;
}

/** The planner's engine made no usable plan for a revision. */
export const NoRevisionPlan = refusal("no-revision-plan", EXIT.failure, noPlanWords);

/** What helps depends on what failed: a login can be probed, and an output can be read. */
function noPlanWords({ session, reason, problems, engine, output }: Unplanned): Words {
  const isOwn = engine === "command";
  const own = isOwn
    ? " The engine is a program from your settings: wisp called it with WISP_PURPOSE=revise (docs/ENGINES.md)."
    : "";
  const look = output === undefined ? "" : ", or to read what the engine printed";
  return [
    `There is no plan for a revision of ${shown(session)}: ${shown(reason)}.`,
    `Nothing was created.${own} The problems are kept. To try again with them${look}:`,
    `wisp revise ${shellWord(session)} --file ${shellWord(problems)}`,
    ...(output === undefined ? [] : [`cat ${shellWord(output)}`]),
    ...(engine === undefined || isOwn ? [] : ["wisp engines --probe"]),
  ];
}
