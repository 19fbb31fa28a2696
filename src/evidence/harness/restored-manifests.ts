import type { Oid } from "../../base/oid.ts";
import type { Texts } from "../integrity/compare-tests.ts";
import { withTestCommandsOf } from "../integrity/test-commands.ts";
import type { Called } from "./called-by-verify.ts";
import type { CommitReader } from "./commit-reader.ts";
import {
  isManifest,
  isRunnerSettings,
  withFormerNames,
  withRunnerSettings,
} from "./runner-settings.ts";

/** Manifests, and other files that define commands, at the end of a range with what steers tests as it was before. */
export interface RestoredManifests {
  readonly restored: Texts;
  /**
   * Those of them in which the names of modules lead to the files of before: their texts without that, or undefined if
   * nothing else was restored in them.
   */
  readonly mapped: ReadonlyMap<string, string | undefined>;
}

/** Both ends of a range, the paths that it changed, and all paths at its end. */
export interface ManifestRange {
  readonly start: Oid;
  readonly end: Oid;
  readonly changed: readonly string[];
  readonly after: ReadonlySet<string>;
}

/** Restores in each changed manifest the settings and commands of tests, and what the names of modules lead to. */
export async function restoredManifests(
  { start, end, changed, after }: ManifestRange,
  { commands }: Pick<Called, "commands">,
  reader: CommitReader,
): Promise<RestoredManifests> {
  const restored = new Map<string, string>();
  const mapped = new Map<string, string | undefined>();
  for (const path of changed) {
    const definesCommands = commands.has(path) && !isRunnerSettings(path);
    if ((!isManifest(path) && !definesCommands) || !after.has(path)) continue;
    const was = await reader.read(start, path);
    const now = (await reader.read(end, path)) ?? "";
    const steered = withRunnerSettings(path, was, now);
    const text = withTestCommandsOf(path, was ?? "", steered ?? now, commands.get(path)) ?? steered;
    const whole = withFormerNames(path, was, text ?? now);
    if (whole !== undefined) mapped.set(path, text);
    if ((whole ?? text) !== undefined) restored.set(path, whole ?? text ?? now);
  }
  return { restored, mapped };
}
