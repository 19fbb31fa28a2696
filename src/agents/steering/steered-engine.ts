import type { Oid } from "../../base/oid.ts";
import { need } from "../../base/fatal.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import { ok, type Result } from "../../base/result.ts";
import type { Role } from "../../base/role.ts";
import type { Engine, TurnOutcome, TurnRequest } from "../../engines/engine.ts";
import type { GitContext } from "../../git/command/git-environment.ts";
import { settleSteering } from "../../git/steering/settle-steering.ts";
import { steer } from "../../git/steering/steer.ts";
import { hasCopies, type SteeringBase, steeringBase } from "../../git/steering/steering-base.ts";
import { type SteeredClone, steeredClone } from "../../git/steering/steering-place.ts";
import { unsteer } from "../../git/steering/unsteer.ts";
import { steeringWords } from "./steering-words.ts";

/** Whose files steer the engines of a role, and where its clones come from. */
export interface SteeringOptions {
  readonly git: GitContext;
  /** The user's repository. */
  readonly repository: string;
  /** What the person had before any session of this work. */
  readonly base: Oid;
  /** The bases that were read, by clone; the engines of a role share them. */
  readonly read: Map<string, SteeringBase>;
  /** Files with instructions that the engine, by name, does not read by itself; absent: it reads them. */
  readonly unread: (engine: string) => RegExp | undefined;
}

/**
 * Wraps an engine so that the branch does not steer it: during its turns, and while a person talks to it, the files of
 * the clone that steer agents are those of the base. Before and after, the clone is as on its branch. A builder's engine
 * is left as it is, because its own work may be to change them.
 */
export function steeredEngine(engine: Engine, role: Role, options: SteeringOptions): Engine {
  if (role === "builder") return engine;
  const { interactive } = engine;
  return {
    ...engine,
    turn: (request) => steeredTurn(engine, request, options),
    interactive:
      interactive &&
      (async (prompt, at) => {
        need(await begin(at.cwd, options));
        try {
          return await interactive(prompt, at);
        } finally {
          need(await unsteer(options.git, placeOf(at.cwd, options)));
        }
      }),
  };
}

interface Begun {
  readonly clone: SteeredClone;
  readonly base: SteeringBase;
  /** Files and folders that are not as on the branch. */
  readonly changed: readonly string[];
}

async function steeredTurn(
  engine: Engine,
  request: TurnRequest,
  options: SteeringOptions,
): Promise<TurnOutcome> {
  const begun = await begin(request.cwd, options);
  if (!begun.ok) return failedBy(begun.failure);
  const words = steeringWords(begun.value, options.unread(engine.name));
  const prompt = words === "" ? request.prompt : `${request.prompt}\n\n${words}`;
  const outcome = await engine.turn({ ...request, prompt });
  const ended = await end(request, begun.value, options);
  // What it reported about itself is still true.
  return ended.ok ? outcome : { ...outcome, ...failedBy(ended.failure) };
}

async function begin(cwd: string, options: SteeringOptions): Promise<Result<Begun, GitFailure>> {
  const { git, base, read } = options;
  const place = placeOf(cwd, options);
  const back = await unsteer(git, place);
  if (!back.ok) return back;
  const clone = steeredClone(git, place);
  if (!clone.ok) return clone;
  const known = read.get(cwd);
  // Copies go with a clone that was removed while its role waited.
  const isThere = known !== undefined && hasCopies(git, known);
  const made = !isThere ? await steeringBase(clone.value, base) : ok(known);
  if (!made.ok) return made;
  read.set(cwd, made.value);
  const changed = await steer(clone.value, made.value);
  if (!changed.ok) return changed;
  return ok({ clone: clone.value, base: made.value, changed: changed.value });
}

async function end(
  { cwd, role }: TurnRequest,
  { clone, base, changed }: Begun,
  options: SteeringOptions,
): Promise<Result<unknown, GitFailure>> {
  const back = await unsteer(options.git, placeOf(cwd, options));
  // What the others leave is discarded.
  return back.ok && role === "tester" ? settleSteering(clone, base, changed) : back;
}

function placeOf(directory: string, { repository }: SteeringOptions) {
  return { directory, hub: repository };
}

function failedBy({ message }: GitFailure): Extract<TurnOutcome, { kind: "failed" }> {
  const reason = `the files that steer agents could not be set to those of the base: ${message}`;
  return { kind: "failed", reason };
}
