import type { CommandSettings } from "../../fs-protocol/home/command-settings.ts";

/** A setting under the name that it has in `.wisp/config.yaml`, and what it is in two places, each a list of words. */
export interface DifferingCommands {
  readonly key: string;
  readonly before: readonly (readonly string[])[];
  readonly after: readonly (readonly string[])[];
}

/** What differs between the commands of a session and others, in the order in which they run. */
export function differingCommands(
  before: CommandSettings,
  after: CommandSettings,
): readonly DifferingCommands[] {
  const listed = listOf(after);
  const all = listOf(before).map(([key, words], index): DifferingCommands => {
    return { key, before: words, after: listed[index]?.[1] ?? [] };
  });
  return all.filter((one) => JSON.stringify(one.before) !== JSON.stringify(one.after));
}

type Listed = readonly [key: string, words: DifferingCommands["before"]];

function listOf(settings: CommandSettings): readonly Listed[] {
  const { setup, build, verify, verifyTimeoutMs, env } = settings;
  return [
    ["setup", setup],
    ["build", build],
    ["verify", verify],
    ["verifyTimeout", [[`${String(verifyTimeoutMs / 1_000)}s`]]],
    ["commands.env", env.map((name) => [name])],
  ];
}
