import { stateFor } from "../../workspace/session/session-for.ts";
import { CannotGoOn, need } from "../../base/fatal.ts";
import { join } from "node:path";
import { onSignals } from "../../host/processes/on-signals.ts";
import { EXIT } from "../../base/exit-code.ts";
import { refusal } from "../../base/failure.ts";
import { shellWord } from "../../base/words/shell-word.ts";
import { shown } from "../../base/words/shown.ts";
import { clonesDirectory } from "../../fs-protocol/home/session-json.ts";
import { NO_SANDBOX } from "../../base/ports/sandbox.ts";
import type { Role } from "../../base/role.ts";
import { runIdOf } from "../../work/role-context.ts";
import type { Engine } from "../../engines/engine.ts";
import { leasePath } from "../../fs-protocol/home/home.ts";
import { openAttached } from "./attached-clone.ts";
import type { World } from "../../workspace/world.ts";
import { openEngines } from "./open-engine.ts";
import type { FoundSession } from "../../workspace/sessions.ts";
import { takeRoleLease } from "./take-role-lease.ts";
import { TurnList } from "../../views/timeline/turn-list.ts";

/** `wisp attach` needs a person at a terminal. */
export const NoTerminal = refusal(
  "no-terminal",
  EXIT.inputNeeded,
  ({ session, role }: { readonly session: string; readonly role: Role }) => [
    `wisp attach needs a terminal to open the engine of the ${role} in.`,
    "Nothing was interrupted. Run it in a terminal, without CI or --no-input, or only watch:",
    `wisp attach ${shellWord(session)} ${role}`,
    `wisp tail ${role} ${shellWord(session)} --follow`,
  ],
);

interface TurnsOnly {
  readonly role: Role;
  readonly engine: string;
  /** The role's clone. */
  readonly directory: string;
}

/** The engine has no interactive mode. */
export const NotInteractive = refusal(
  "not-interactive",
  EXIT.failure,
  ({ role, engine, directory }: TurnsOnly) => [
    `The engine ${shown(engine)} of the ${role} has no interactive mode, so wisp cannot attach to it.`,
    "Nothing was interrupted. To look at the role's work tree, or to work in it while the session is stopped:",
    `cd ${shellWord(directory)}`,
  ],
);

/**
 * Opens the engine's own interactive mode in a role's clone, with its newest session. Meanwhile
 * this process holds the role's lease: the role's own process is interrupted first, and no
 * supervisor starts another. What the person committed is published before the lease is released;
 * what was left uncommitted is saved.
 *
 * @returns what happened to the person's work, line by line
 */
export async function attachRole(
  world: World,
  found: FoundSession,
  role: Role,
): Promise<readonly string[]> {
  const { host } = world;
  const chosen = await chooseAttachedEngine(world, found, role);
  const id = found.session.id;
  if (world.ask === undefined) throw new CannotGoOn(NoTerminal({ session: id, role }));
  // A process that waits for the lease asks its holder to end, but a person's engine is not ended.
  const giveBack = onSignals(["SIGTERM"], () => undefined);
  try {
    const lease = await takeRoleLease(world, found, role);
    const messages = await inPlace(world, found, chosen).finally(() => lease.release());
    const isSupervised = await host.locks.isLeaseHeld(leasePath(found.home, "supervisor"));
    return [...messages, isSupervised ? `The ${role} continues.` : `To continue: wisp up ${id}`];
  } finally {
    giveBack();
  }
}

/**
 * Opens the engine, and leaves the clone in a state that the role can work with. The caller holds
 * the lease.
 */
async function inPlace(
  world: World,
  found: FoundSession,
  { role, engine, interactive, resume }: ChosenEngine,
): Promise<readonly string[]> {
  const clone = await openAttached(world, found, role);
  world.tell(
    `You now have the place of the ${role}, in ${engine.name}. Leave it to let the ${role} continue.`,
  );
  const runId = runIdOf(found.home, role);
  need(await interactive("", { cwd: clone.directory, runId, resume }));
  return clone.leave();
}

interface ChosenEngine {
  readonly role: Role;
  readonly engine: Engine;
  readonly interactive: NonNullable<Engine["interactive"]>;
  /** The newest session of the role. */
  readonly resume: string | undefined;
}

/** The engine of the role's latest turn, or else its first, if it has an interactive mode. */
export async function chooseAttachedEngine(
  world: World,
  found: FoundSession,
  role: Role,
): Promise<ChosenEngine> {
  const { home, session } = found;
  await stateFor(world, "attach", found);
  const turns = new TurnList(world.host.files, home, [role]);
  need(turns.refresh());
  // The engine itself asks the person before it does anything.
  const engines = openEngines(world, session, { role, sandbox: NO_SANDBOX });
  const last = turns.turns.at(-1);
  const engine = engines.find(({ name }) => name === last?.begin.engine) ?? engines[0];
  const directory = join(clonesDirectory(session, role), "clone");
  if (engine?.interactive === undefined) {
    const name = engine?.name ?? session.engines[role].name;
    throw new CannotGoOn(NotInteractive({ role, engine: name, directory }));
  }
  return {
    role,
    engine,
    interactive: engine.interactive,
    resume: newestSession(engine, home, turns),
  };
}

function newestSession(
  engine: Engine,
  home: FoundSession["home"],
  { turns }: TurnList,
): string | undefined {
  const own = turns.filter(({ begin }) => begin.engine === engine.name).toReversed();
  for (const { begin, end } of own) {
    // The output of a killed turn is read here, because its role has not read it yet.
    const sessionId =
      end?.session ?? engine.recall?.(join(home.turns, begin.output), begin.resume).session;
    if (sessionId !== undefined) return sessionId;
  }
  return undefined;
}
