import type { CommandSettings } from "../../fs-protocol/home/command-settings.ts";
import type { SessionJson } from "../../fs-protocol/home/session-json.ts";
import type { BuilderFold } from "../state/builder-state.ts";
import type { HumanFold } from "../state/fold-human.ts";

/** The commands that replace those of `session.json`, as far as they do. */
export type ReplacedCommands = Partial<CommandSettings>;

/** What of a session's logs says which commands are in force. */
export interface CommandFacts {
  readonly human: Pick<HumanFold, "commands">;
  readonly builder: Pick<BuilderFold, "adopted">;
}

/**
 * The commands that records put in force instead of those of `session.json`: first those of a person's answer, then those
 * that the builder adopted, which it does only where the session had no verify. Empty if there are none.
 */
export function replacedCommands({ human, builder }: CommandFacts): ReplacedCommands {
  const { adopted } = builder;
  if (adopted === undefined) return { ...human.commands };
  const { setup, build, verify } = adopted;
  return { ...human.commands, setup, build, verify };
}

/**
 * A session with the commands that are in force whenever they are read. Everything else is as it was frozen.
 *
 * @param replaced what the logs say at this moment
 */
export function sessionInForce(
  session: SessionJson,
  replaced: () => ReplacedCommands,
): SessionJson {
  return {
    ...session,
    get setup() {
      return replaced().setup ?? session.setup;
    },
    get build() {
      return replaced().build ?? session.build;
    },
    get verify() {
      return replaced().verify ?? session.verify;
    },
    get verifyTimeoutMs() {
      return replaced().verifyTimeoutMs ?? session.verifyTimeoutMs;
    },
    get commands() {
      const { env } = replaced();
      return env === undefined ? session.commands : { ...session.commands, env };
    },
  };
}
