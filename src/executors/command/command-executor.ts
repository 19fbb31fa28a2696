import {
  ExecutorUnreachable,
  PlaceGone,
  type Executor,
  type ExecutorFailure,
  type Place,
  type PlaceState,
} from "../../base/ports/executor.ts";
import type { ProgramEnd } from "../../base/ports/programs.ts";
import { ok, type Result } from "../../base/result.ts";
import { EXEC_SCRIPT } from "../far-scripts.ts";
import { executorOverArgv, farWords, type ExecutorHost } from "../over-argv.ts";
import { placeIn, stateIn } from "./answers.ts";
import { copiesOf } from "./copies.ts";
import {
  GONE_EXIT,
  OwnPrograms,
  UNREACHABLE_EXIT,
  variablesOf,
  type OwnArgv,
} from "./own-programs.ts";

/** How long `create` and `destroy` may take: an image may have to be fetched first. */
const MAKE_MS_MAX = 15 * 60_000;

/** The executables of an executor of the user's own, each as an argument vector. docs/EXECUTORS.md has the protocol. */
export interface CommandExecutorOptions {
  /** As a person writes it after `--on`. */
  readonly name: string;
  /** Makes a place, or finds it by its key, and prints it. */
  readonly create: OwnArgv;
  /** Runs a command at a place: `<exec…> <place id> -- <argv…>`. */
  readonly exec: OwnArgv;
  /** Ends a place. */
  readonly destroy: OwnArgv;
  /** Copies standard input to a file there. Absent: a command at the place does. */
  readonly put?: OwnArgv | undefined;
  /** Prints a file there. Absent: a command at the place does. */
  readonly get?: OwnArgv | undefined;
  /** Prints the state of a place. Absent: a place at which commands run is up. */
  readonly status?: OwnArgv | undefined;
  /** Runs a command at a place in the terminal of a person: `<terminal…> <place id> -- <argv…>`. Absent: nothing can. */
  readonly terminal?: OwnArgv | undefined;
  /** How long `create` and `destroy` may take, in milliseconds. Absent: 15 minutes. */
  readonly makeMsMax?: number | undefined;
}

/** Places that executables of the user's own make, reach and end. */
export function commandExecutor(host: ExecutorHost, options: CommandExecutorOptions): Executor {
  const { name, makeMsMax = MAKE_MS_MAX } = options;
  const own = new OwnPrograms(name, host);
  const argvTo = ({ id }: Place, argv: OwnArgv): OwnArgv => [...options.exec, id, "--", ...argv];
  const status = (place: Place) =>
    options.status === undefined
      ? stateByExec(host, name, place, argvTo(place, ["true"]))
      : stateByStatus(own, place, options.status);
  const failureOf = async (place: Place, end: ProgramEnd) => {
    if (!mayBeCut(end)) return undefined;
    const failure = failureIn(name, place, await status(place));
    // Exit codes are those of the command there, also of one that was killed: a signal ended the way to it.
    return failure ?? (end.kind === "killed" ? brokenLink(name, end.signalName) : undefined);
  };
  const at = (place: Place) =>
    executorOverArgv(
      name,
      { ...host, env: { ...host.env, ...variablesOf({ place }) } },
      { argvTo, failureOf },
    );
  const copies = copiesOf({ own, host, options, at });
  return {
    ...{ kind: "command", name, ...copies, status, ...terminalOf(options.terminal) },
    async create(wishes) {
      const line = await own.ask(options.create, { wishes }, makeMsMax);
      if (!line.ok) return line;
      const place = placeIn(line.value);
      return typeof place === "string"
        ? own.refuse(`${options.create[0]} printed no place: ${place}`)
        : ok(place);
    },
    exec: (place, command, streams) => at(place).exec(place, command, streams),
    detach: (place, as, command) => at(place).detach(place, as, command),
    isRunning: (place, as) => at(place).isRunning(place, as),
    signal: (place, as, signalName) => at(place).signal(place, as, signalName),
    follow: (place, file, signal) => at(place).follow(place, file, signal),
    async destroy(place) {
      const ended = await own.demand(options.destroy, { place }, { timeoutMs: makeMsMax });
      return !ended.ok && ended.failure.kind === "place-gone" ? ok(undefined) : ended;
    },
  };
}

function terminalOf(terminal: OwnArgv | undefined): Pick<Executor, "terminalArgv"> {
  if (terminal === undefined) return {};
  return {
    terminalArgv(place, command) {
      // It is started with only the environment of the person.
      const variables = Object.entries(variablesOf({ place })).map((each) => each.join("="));
      const words = ["sh", "-c", EXEC_SCRIPT, "wisp", ...farWords(place, command)];
      return ["env", ...variables, ...terminal, place.id, "--", ...words];
    },
  };
}

/** Whether an end of `exec` may say something of the link or the place, and nothing of the command there. */
function mayBeCut(end: ProgramEnd): boolean {
  if (end.kind === "killed") return true;
  return end.kind === "exited" && [UNREACHABLE_EXIT, GONE_EXIT].includes(end.exitCode);
}

function brokenLink(executor: string, signalName: string): ExecutorFailure {
  return ExecutorUnreachable({ executor, detail: `exec was ended by ${signalName}` });
}

/** Why a command cannot have run at a place with this state. */
function failureIn(
  executor: string,
  place: Place,
  state: Result<PlaceState, ExecutorFailure>,
): ExecutorFailure | undefined {
  if (!state.ok) return state.failure;
  if (state.value.kind === "up") return undefined;
  if (state.value.kind === "gone") return PlaceGone({ executor, place: place.id });
  return ExecutorUnreachable({ executor, detail: state.value.reason });
}

async function stateByStatus(
  own: OwnPrograms,
  place: Place,
  argv: OwnArgv,
): Promise<Result<PlaceState, ExecutorFailure>> {
  const line = await own.ask(argv, { place });
  if (!line.ok) return line.failure.kind === "place-gone" ? ok({ kind: "gone" }) : line;
  const state = stateIn(line.value);
  return typeof state === "string"
    ? own.refuse(`${argv[0]} printed no state: ${state}`)
    : ok(state);
}

async function stateByExec(
  host: ExecutorHost,
  name: string,
  place: Place,
  argv: OwnArgv,
): Promise<Result<PlaceState, ExecutorFailure>> {
  const own = new OwnPrograms(name, host);
  const ran = await own.demand(argv, { place });
  if (ran.ok) return ok({ kind: "up" });
  const { failure } = ran;
  if (failure.kind === "place-gone") return ok({ kind: "gone" });
  if (failure.kind !== "executor-refused") return ran;
  return ok({ kind: "down", reason: failure.detail });
}
