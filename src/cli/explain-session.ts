import type { FileFailure } from "../base/files.ts";
import type { LeaseHeld } from "../base/locks.ts";
import { basename } from "node:path";
import type { EngineSpeaks } from "./append-human.ts";
import { shown, type Words } from "./explanation.ts";
import type { BadEdit, BuilderWrites, SupervisorGone, IllegalCommand } from "./failures.ts";
import { PROTOCOL_VERSIONS } from "../fs-protocol/session-json.ts";
import { WISP_STATES, type SessionEvent } from "../fs-protocol/session-machine.ts";
import type { FindFailure, NoSuchSession } from "./find-session.ts";
import { shellWord } from "./shell-word.ts";

type Failure =
  | Exclude<FindFailure, FileFailure | { kind: "not-a-repository" }>
  | BadEdit
  | BuilderWrites
  | EngineSpeaks
  | IllegalCommand
  | LeaseHeld
  | SupervisorGone;

/** So many sessions are listed. */
const SESSIONS_MAX = 10;

/** Words for a session that is not to be had. */
export function explainSession(failure: Failure): Words {
  switch (failure.kind) {
    case "no-such-session":
      return explainMissing(failure);
    case "session-elsewhere":
      return [
        `The session ${failure.id} belongs to ${shown(failure.repository)}, not to ${shown(failure.here)}.`,
        "It came here with a copy of the repository, or the repository was moved. Its clones still look " +
          "for it at the old place: move it back, or start a new session.",
      ];
    case "session-damaged":
      return [
        `${shown(failure.path)} is damaged: ${shown(failure.problem)}.`,
        "wisp writes this file once and never changes it. Put it back from a backup, or start a new " +
          "session; the branch is not touched.",
      ];
    case "session-later":
      return explainLater(failure);
    case "lease-held":
      return explainHeld(failure);
    case "supervisor-gone":
      return explainGone(failure);
    case "bad-edit":
      return explainEdit(failure);
    case "builder-writes":
      return [
        `The builder of ${shown(failure.session)} is at work, and TASKS.md is its own until its process has ended.`,
        "Nothing was changed. Stop it, wait until it has finished its turn (wisp status), and say this again:",
        `wisp stop ${shellWord(failure.session)}`,
      ];
    case "engine-speaks":
      return [
        "This was asked for by an engine in its turn, or by what it started, and only people speak to a session.",
        "Nothing was put on record. Give the command in a shell of your own.",
      ];
    case "illegal-transition":
      return explainIllegal(failure);
  }
}

function explainLater({
  path,
  version,
  madeBy,
}: Extract<Failure, { kind: "session-later" }>): Words {
  const maker = madeBy === undefined ? "a later wisp" : `wisp ${shown(madeBy)}`;
  const known = PROTOCOL_VERSIONS.join(" and ");
  return [
    `${shown(path)} was made by ${maker}, in version ${String(version)} of the protocol. ` +
      `This wisp knows versions ${known}.`,
    `Go on with ${maker}${madeBy === undefined ? "" : " or a later one"}. Nothing was changed.`,
  ];
}

/** Commands by what they ask for; what else happens has none. */
const COMMANDS: Partial<Readonly<Record<SessionEvent, (session: string) => string>>> = {
  up: (session) => `wisp up ${session}`,
  resume: (session) => `wisp resume ${session}`,
  answer: (session) => `wisp answer ${session}`,
  stop: (session) => `wisp stop ${session}`,
  restart: (session) => `wisp restart <role> ${session}`,
  update: (session) => `wisp update <request.md> --branch ${session}`,
  "hand-in": (session) => `wisp done ${session}`,
  abandon: (session) => `wisp abandon ${session}`,
};

/** Of finished work: what else leads on. What has it run again does nothing there. */
const OF_DONE = (session: string) =>
  ["review", "revise", "done", "abandon"].map((command) => `wisp ${command} ${session}`);

/** What there would have to be; else what the event is called. */
const MISSED: Partial<Readonly<Record<SessionEvent, string>>> = {
  "hand-in": "take",
  abandon: "give up",
  attach: "attach to",
  judge: "find",
};

function explainIllegal({ session, state, from, by, possible }: IllegalCommand): Words {
  const { says } = WISP_STATES[state];
  const commands =
    from === "DONE"
      ? OF_DONE(session)
      : possible.flatMap((event) => COMMANDS[event]?.(session) ?? []);
  return [
    `${session} is ${state} (${from}): ${says}. There is nothing to ${MISSED[by] ?? by}.`,
    commands.length === 0 ? undefined : "What can be done with it:",
    ...commands,
  ];
}

function explainEdit({ session, line, problem, file }: BadEdit): Words {
  if (file !== undefined) {
    return [
      `${shown(file)}, line ${String(line)}: ${shown(problem)}.`,
      "It cannot be adopted, and nothing was changed. Correct it, and say this again; or go on without it:",
      `wisp up ${session}`,
    ];
  }
  return [
    `TASKS.md, line ${String(line)}: ${shown(problem)}.`,
    "It was edited, and cannot be taken over. Nothing was started, and the file is as you left it. Correct " +
      "it, or remove it to go on by the plan as it was:",
    `wisp up ${session}`,
  ];
}

function explainGone({ session, said, trouble }: SupervisorGone): Words {
  const causes = [said, trouble].flatMap((cause) => (cause === undefined ? [] : [shown(cause)]));
  const why = causes.length === 0 ? "it said nothing, see wisp doctor" : causes.join("; ");
  return [
    `The supervisor of ${shown(session)} ended before its work was done: ${why}.`,
    "What was done is on record. When the cause is gone:",
    `wisp up ${session}`,
  ];
}

function explainMissing({ asked, repository, sessions }: NoSuchSession): Words {
  const here = shown(repository);
  const message =
    asked === undefined
      ? `There is no session in ${here}.`
      : `There is no session '${shown(asked)}' in ${here}.`;
  if (sessions.length === 0) return [message, "To make one:", "wisp start request.md"];
  const listed = sessions.slice(-SESSIONS_MAX).map(({ id }) => `wisp status ${id}`);
  return [message, "There are:", ...listed];
}

function explainHeld({ path, holder }: LeaseHeld): Words {
  const what = basename(path, ".lock");
  if (what === "revise" || what === "revising") {
    return [
      "Another request for a revision of this session is under way: there is one at a time.",
      "Nothing was done. See what came of it, then say it again:",
      "wisp status",
    ];
  }
  const who =
    holder === undefined
      ? "a process that did not say who it is"
      : `process ${String(holder.pid)}, since ${shown(holder.since)}`;
  return [
    `Another ${shown(what)} is at work on this session: ${who}.`,
    "There is one at a time. To see what it does, or to end it:",
    "wisp status",
    ...(holder === undefined ? [] : [`kill ${String(holder.pid)}`]),
  ];
}
