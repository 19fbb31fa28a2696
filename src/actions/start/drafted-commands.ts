import { need } from "../../base/fatal.ts";
import type { FileFailure } from "../../base/ports/files.ts";
import { ok, type Result } from "../../base/result.ts";
import type { CommandSettings } from "../../fs-protocol/home/command-settings.ts";
import type { SessionJson } from "../../fs-protocol/home/session-json.ts";
import { detectBuild } from "../../settings/detect/detect-build.ts";
import { detectSetup } from "../../settings/detect/detect-setup.ts";
import { detectVerify } from "../../settings/detect/detect-verify.ts";
import type { RootFiles } from "../../settings/detect/root-files.ts";
import type { Config } from "../../settings/schema/config-schema.ts";
import { readSettings, type SettingsFailure } from "../../workspace/settings/read-settings.ts";
import type { World } from "../../workspace/world.ts";
import { baseFiles } from "./base-files.ts";

/** The commands that wisp itself runs, from the settings or as they are detected. */
export function draftedCommands(config: Config, root: RootFiles) {
  const setup = detectSetup(root);
  const verify = config.verify?.run ?? detectVerify(root, setup)?.commands ?? [];
  const build = config.build ?? detectBuild(root)?.commands ?? [];
  const { env, slot, ci } = config.commands;
  const argvs = (all: readonly (readonly string[])[]) => all.map((argv) => [...argv]);
  return {
    verify: argvs(verify),
    setup: argvs(config.setup ?? setup?.commands ?? []),
    commands: { env: [...env], slot: [...slot], ci },
    build: argvs(build),
    setupInputs: [...config.setupInputs],
    verifyTimeoutMs: config.verifyTimeout,
  } satisfies Partial<SessionJson>;
}

/**
 * The commands with which a session would begin now: by the settings in the checkout, as they are for the person who asks,
 * and detected at the commit at which they run. Throws `CannotGoOn` if that commit cannot be read.
 */
export async function commandsOfCheckout(
  { host, env }: Pick<World, "host" | "env">,
  { repository: directory, base: head }: Pick<SessionJson, "repository" | "base">,
): Promise<Result<CommandSettings, SettingsFailure | FileFailure>> {
  const config = readSettings(host.files, directory);
  if (!config.ok) return config;
  const root = need(await baseFiles(env, { directory, head }));
  const { setup, build, verify, verifyTimeoutMs, commands } = draftedCommands(config.value, root);
  return ok({ setup, build, verify, verifyTimeoutMs, env: commands.env });
}
