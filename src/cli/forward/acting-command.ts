import type { Command } from "commander";
import { ROLES } from "../../base/role.ts";

/** A command line that changes a session: one that runs elsewhere is changed there. */
export interface ActingCommand {
  /** Such as `findings add`. */
  readonly name: string;
  /** As named on the command line; undefined for the newest. */
  readonly session: string | undefined;
  /** The words after `wisp`. */
  readonly words: readonly string[];
  /** The word that names a file here. */
  readonly file: string | undefined;
  /** Whether the command asks a person, or hands them the terminal. */
  readonly asks: boolean;
  /** Whether it shows the session until that is over, unless `--detach` says otherwise. */
  readonly shows: boolean;
  readonly isDetached: boolean;
  readonly isPlain: boolean;
  readonly json: boolean;
  readonly dryRun: boolean;
}

type Flags = Readonly<Record<string, unknown>>;

interface Acts {
  /** Whether it changes anything with these options. Absent: always. */
  readonly when?: (flags: Flags) => boolean;
  readonly asks?: (flags: Flags) => boolean;
  readonly shows?: (flags: Flags) => boolean;
  /** The argument or option that names a file. */
  readonly file?: (flags: Flags, words: readonly string[]) => unknown;
}

const has = (flags: Flags, ...names: readonly string[]) =>
  names.some((name) => flags[name] !== undefined && flags[name] !== false);
const isUnsure = (flags: Flags) => !has(flags, "yes", "json", "dryRun");

/**
 * The commands that change a session, by their names. Not `done`: the work of every session is shipped from here; and not
 * `answer`: the settings that it compares are those of the person's checkout, so it passes on what they said.
 */
const ACTS: Readonly<Record<string, Acts>> = {
  up: { shows: () => true },
  resume: { shows: () => true },
  update: { shows: ({ up }) => up !== false, file: (_flags, [request]) => request },
  plan: {
    when: (flags) => has(flags, "approve", "edit", "reject"),
    asks: (flags) => has(flags, "edit"),
  },
  stop: {},
  attach: { asks: () => true },
  restart: {},
  revise: {
    asks: isUnsure,
    shows: ({ start }) => start !== false,
    file: ({ file }) => file,
  },
  abandon: { asks: isUnsure },
  review: {
    when: (flags) => has(flags, "approve", "requestRevision", "comment", "reject"),
    asks: (flags) => has(flags, "reject") && isUnsure(flags),
    shows: (flags) => has(flags, "requestRevision", "comment") && flags["start"] !== false,
  },
  tasks: { when: (flags) => has(flags, "adopt"), file: ({ adopt }) => adopt },
  "findings add": {},
  "findings dismiss": {},
  fsck: { when: (flags) => has(flags, "repair") },
};

/** What a parsed command line changes; undefined if it changes nothing. */
export function actingCommand(
  command: Command,
  words: readonly string[],
): ActingCommand | undefined {
  const name = nameOf(command);
  const acts = ACTS[name];
  const flags: Flags = command.optsWithGlobals();
  if (acts === undefined || acts.when?.(flags) === false) return undefined;
  const given: readonly unknown[] = command.processedArgs;
  const arguments_ = given.flat().filter((one) => typeof one === "string");
  const file = acts.file?.(flags, arguments_);
  return {
    ...{ name, words, session: sessionOf(command, flags) },
    file: typeof file === "string" ? file : undefined,
    asks: acts.asks?.(flags) ?? false,
    shows: acts.shows?.(flags) ?? false,
    isDetached: has(flags, "detach"),
    isPlain: has(flags, "plain"),
    json: has(flags, "json"),
    dryRun: has(flags, "dryRun"),
  };
}

function nameOf(command: Command): string {
  const { parent } = command;
  return parent === null || parent.parent === null
    ? command.name()
    : `${nameOf(parent)} ${command.name()}`;
}

/** The session that a command names, as an option, as an argument, or beside a role. */
function sessionOf(command: Command, flags: Flags): string | undefined {
  const { session, branch } = flags;
  if (typeof session === "string") return session;
  if (typeof branch === "string") return branch;
  const place = command.registeredArguments.findIndex((one) => one.name() === "session");
  const given: readonly unknown[] = command.processedArgs;
  const named: unknown = place >= 0 ? given[place] : rolelessIn(command, given);
  return typeof named === "string" ? named : undefined;
}

/** Of commands that take a role and a session in any order: the word that is no role. */
function rolelessIn(command: Command, given: readonly unknown[]): unknown {
  if (!["attach", "restart"].includes(command.name())) return undefined;
  const roles: readonly unknown[] = ROLES;
  return given.flat().find((word) => !roles.includes(word));
}
