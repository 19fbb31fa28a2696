import { EXIT } from "../../base/exit-code.ts";
import { refusal, type Words } from "../../base/failure.ts";
import { shellWord } from "../../base/words/shell-word.ts";
import { shown } from "../../base/words/shown.ts";

interface Mends {
  readonly session: string;
  readonly parent: string;
  readonly asked: "revise" | "update";
}

/** A command that is for the session that a revision mends was asked of the revision. */
export const IsRevision = refusal(
  "is-revision",
  EXIT.usage,
  ({ session, parent, asked }: Mends) => [
    `${shown(session)} is itself a revision.`,
    asked === "revise"
      ? "What is still wrong after it is the next revision of the same session, when this one has ended:"
      : "Its request is what was approved. What else is to change is the next revision, when this one has ended:",
    `wisp revise ${shellWord(parent)}`,
    `wisp abandon ${shellWord(session)}`,
  ],
);

/** A session has a revision that has not ended: until then there is no other one, and it does not go on itself. */
export const RevisionUnfinished = refusal(
  "revision-unfinished",
  EXIT.failure,
  ({ revision }: { readonly session: string; readonly revision: string }) => [
    `${shown(revision)} has not ended: a branch is worked on by one session at a time.`,
    "Go on with it, or give it up:",
    `wisp resume ${shellWord(revision)}`,
    `wisp abandon ${shellWord(revision)}`,
  ],
);

interface Unasked {
  readonly session: string;
  readonly missing: "problems" | "approval" | "answer";
  /** What the planner asks, where an answer is missing. */
  readonly question?: string | undefined;
  /** Words of a command that name the problems again, for a shell: nobody has to type them again. */
  readonly again?: string | undefined;
}

/** Problems are to be described, or a plan is to be approved, and there is nobody to ask. */
export const NobodyToAsk = refusal("nobody-to-ask", EXIT.inputNeeded, nobodyWords);

function nobodyWords({ session: id, missing, question = "", again: words }: Unasked): Words {
  const session = shellWord(id);
  const again = words === undefined ? "" : ` ${words}`;
  switch (missing) {
    case "problems":
      return [
        "Problems are to be described, and nobody is there to ask.",
        "Name them in the command:",
        `wisp revise ${session} --problem "what is wrong" --yes`,
        `wisp revise ${session} --file feedback.md --yes`,
      ];
    case "approval":
      return [
        "The plan is to be approved, and nobody is there to ask. Nothing was made.",
        "Say it again in a terminal, or approve of the plan in advance:",
        `wisp revise ${session}${again} --yes`,
      ];
    case "answer":
      return [
        `The planner asks, and nobody is there to answer: ${shown(question)}`,
        "Nothing was made. Say it again in a terminal, or answer in a further problem:",
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
  /** The engine whose turn failed; absent: no turn did. */
  readonly engine?: string | undefined;
  /** The file with what the engine printed last. */
  readonly output?: string | undefined;
}

/** The planner's engine made no plan of a revision that can be taken. */
export const NoRevisionPlan = refusal("no-revision-plan", EXIT.failure, noPlanWords);

/** What helps depends on whose program failed: a login is probed, and what is the person's own is read. */
function noPlanWords({ session, reason, problems, engine, output }: Unplanned): Words {
  const isOwn = engine === "command";
  const own = isOwn
    ? " The engine is a program of your settings: it was asked with WISP_PURPOSE=revise, as docs/ENGINES.md says."
    : "";
  const look = output === undefined ? "" : ", or to read what the engine printed";
  return [
    `There is no plan for a revision of ${shown(session)}: ${shown(reason)}.`,
    `Nothing was made.${own} The problems are kept. To try again with them${look}:`,
    `wisp revise ${shellWord(session)} --file ${shellWord(problems)}`,
    ...(output === undefined ? [] : [`cat ${shellWord(output)}`]),
    ...(engine === undefined || isOwn ? [] : ["wisp engines --probe"]),
  ];
}
