import { shown, type Words } from "./explanation.ts";
import type { RevisionFailure } from "./failures.ts";
import { shellWord } from "./shell-word.ts";

/** Words for what revisions have to say against a command. */
export function explainRevision(failure: RevisionFailure): Words {
  const session = shellWord(failure.session);
  switch (failure.kind) {
    case "is-revision":
      return [
        `${shown(failure.session)} is itself a revision.`,
        failure.asked === "revise"
          ? "What is still wrong after it is the next revision of the same session, when this one has ended:"
          : "Its request is what was approved. What else is to change is the next revision, when this one has ended:",
        `wisp revise ${shellWord(failure.parent)}`,
        `wisp abandon ${session}`,
      ];
    case "nobody-to-ask":
      return explainNobody(failure);
    case "no-revision-plan":
      return explainNoPlan(failure);
  }
}

/** What helps depends on whose program failed: a login is probed, and what is the person's own is read. */
function explainNoPlan(failure: Extract<RevisionFailure, { kind: "no-revision-plan" }>): Words {
  const { session, reason, problems, engine, output } = failure;
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

/** The command names what was given before: nobody has to type it again. */
function explainNobody(failure: Extract<RevisionFailure, { kind: "nobody-to-ask" }>): Words {
  const session = shellWord(failure.session);
  const again = failure.again === undefined ? "" : ` ${failure.again}`;
  switch (failure.missing) {
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
        `The planner asks, and nobody is there to answer: ${shown(failure.question ?? "")}`,
        "Nothing was made. Say it again in a terminal, or answer in a further problem:",
        `wisp revise ${session}${again}`,
        `wisp revise ${session}${again} --problem "the answer" --yes`,
      ];
  }
}
