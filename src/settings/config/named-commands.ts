import { ROLES } from "../../base/role.ts";
import type { Config } from "../schema/config-schema.ts";
import type { EngineConfig } from "../schema/engine-setting.ts";

/** Something that settings have wisp or an engine run, or pass to it, word for word. */
export interface NamedCommand {
  /** The key that contains it, such as `roles.builder.engine`. */
  readonly key: string;
  /** An argument vector, or names of variables or tests, or paths. */
  readonly words: readonly string[];
}

/**
 * What a repository's settings run on a person's machine: command lines, arguments of engines,
 * variables passed to them, and what weakens the sandbox around them. An engine's name does not
 * count, nor do commands that wisp detects.
 */
export function namedCommands(config: Config): readonly NamedCommand[] {
  const { setup = [], build = [], verify, notify, commands, mcp } = config;
  const named: readonly NamedCommand[] = [
    ...engineCommand("engine", config.engine),
    ...ROLES.flatMap((role) => roleCommands(`roles.${role}`, config.roles[role])),
    ...setup.map((words) => ({ key: "setup", words })),
    ...build.map((words) => ({ key: "build", words })),
    ...(verify?.run ?? []).map((words) => ({ key: "verify", words })),
    { key: "verify.knownRed", words: verify?.knownRed ?? [] },
    { key: "commands.env", words: commands.env },
    ...Object.entries(mcp).flatMap(([name, server]) => serverCommand(`mcp.${name}`, server)),
    { key: "notify", words: notify ?? [] },
    ...openings(config.sandbox),
  ];
  return named.filter(({ words }) => words.length > 0);
}

function engineCommand(key: string, setting: EngineConfig | undefined): readonly NamedCommand[] {
  if (setting === undefined || typeof setting === "string") return [];
  return [{ key, words: setting.acp ?? setting.command ?? [] }];
}

function roleCommands(
  key: string,
  { engine, args, env }: Config["roles"]["builder"],
): readonly NamedCommand[] {
  return [
    ...engineCommand(`${key}.engine`, engine),
    { key: `${key}.args`, words: args },
    { key: `${key}.env`, words: env },
  ];
}

function serverCommand(key: string, server: Config["mcp"][string]): readonly NamedCommand[] {
  if (server === false) return [];
  return [
    { key, words: server.command },
    { key: `${key}.env`, words: server.env },
  ];
}

/** Settings that let commands reach further than the default. */
function openings({
  kind,
  image,
  commands,
  allow,
  write,
}: Config["sandbox"]): readonly NamedCommand[] {
  return [
    { key: "sandbox.kind", words: kind === "none" ? [kind] : [] },
    // The image contains the programs that are run, with the keys of the engine.
    { key: "sandbox.image", words: image === undefined ? [] : [image] },
    { key: "sandbox.commands", words: commands ? [] : ["false"] },
    { key: "sandbox.allow", words: allow },
    { key: "sandbox.write", words: write },
  ];
}
