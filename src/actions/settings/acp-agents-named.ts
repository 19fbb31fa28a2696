import { ROLES } from "../../base/role.ts";
import type { EngineSetting } from "../../fs-protocol/home/session-json.ts";
import type { Config } from "../../settings/schema/config-schema.ts";

/** An agent that speaks ACP, as settings name it. */
export interface NamedAgent extends Pick<EngineSetting, "argv" | "mode" | "model" | "env"> {
  /** The key that names it first, such as `roles.builder.engine`. */
  readonly key: string;
}

/** The agents for ACP in a repository's settings, each once, as the first role that has it runs it. */
export function acpAgentsNamed(config: Config): readonly NamedAgent[] {
  const named = ROLES.flatMap((role) => {
    const { engine: own, args, model, env } = config.roles[role];
    const engine = own ?? config.engine;
    if (typeof engine !== "object" || engine.acp === undefined) return [];
    const agent = {
      key: own === undefined ? "engine" : `roles.${role}.engine`,
      argv: [...engine.acp, ...args],
    };
    const { mode } = engine;
    return [
      {
        ...agent,
        ...(mode === undefined ? {} : { mode }),
        ...(model === undefined ? {} : { model }),
        env,
      },
    ];
  });
  const known = new Map<string, NamedAgent>();
  for (const agent of named) {
    const id = JSON.stringify([agent.argv, agent.mode, agent.model]);
    if (!known.has(id)) known.set(id, agent);
  }
  return [...known.values()];
}
