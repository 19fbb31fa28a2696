import { PLATFORM } from "../host/system/this-machine.ts";
import { EXIT } from "../base/exit-code.ts";
import { refusal } from "../base/failure.ts";
import { shown } from "../base/words/shown.ts";
import { fail, ok, type Result } from "../base/result.ts";
import type { SandboxKind } from "../base/ports/sandbox.ts";
import { cleanText } from "../base/words/clean-text.ts";
import type { FrozenSandbox } from "../fs-protocol/home/session-json.ts";
import { askProgram } from "../host/processes/ask-program.ts";
import { bubblewrapProbe } from "../sandbox/bubblewrap.ts";
import { srtProbe } from "../sandbox/srt.ts";
import type { SandboxConfig } from "../settings/schema/sandbox-setting.ts";
import { containerTrouble } from "./container-sandbox-trouble.ts";
import { openToRoot, sandboxExecutable, type OwnProgramKind } from "./sandbox-program.ts";
import type { World } from "./world.ts";

interface Wanted {
  readonly wanted: Exclude<SandboxKind, "none">;
  /** One line that says why. */
  readonly reason: string;
}

/** The sandbox that the settings name does not work here. */
export const NoSandbox = refusal("no-sandbox", EXIT.usage, ({ reason }: Wanted) => [
  `The sandbox of .wisp/config.yaml does not work here: ${shown(reason)}.`,
  "With `sandbox: auto`, wisp runs without a sandbox if none works, and says so.",
  "wisp doctor",
]);
export type NoSandbox = ReturnType<typeof NoSandbox>;

const PROBE_MS_MAX = 10_000;

type Place = Pick<World, "env" | "cwd">;

/**
 * The sandbox of a new session, after a test run. `auto` means bubblewrap if it works, otherwise none.
 *
 * @param programs what engines run, which must be in the image of containers
 */
export async function chooseSandbox(
  world: Place,
  { kind: wanted, image, pids, memory: memoryBytes, cpus, ...setting }: SandboxConfig,
  programs: readonly string[] = [],
): Promise<Result<FrozenSandbox, NoSandbox>> {
  if (wanted === "container") {
    const reason = await containerTrouble(world, image, programs);
    if (image === undefined || reason !== undefined) {
      return fail(NoSandbox({ wanted, reason: reason ?? "" }));
    }
    const ofCpus = cpus === undefined ? {} : { cpus };
    const container = { image, pids, memoryBytes, ...ofCpus };
    return ok({ ...setting, kind: wanted, container });
  }
  if (wanted === "none") return ok({ ...setting, kind: wanted });
  const kind = wanted === "auto" ? "bubblewrap" : wanted;
  const trouble = await sandboxTrouble(world, kind);
  if (trouble === undefined) return ok({ ...setting, kind });
  if (wanted === "auto") return ok({ ...setting, kind: "none", missing: trouble });
  return fail(NoSandbox({ wanted, reason: trouble }));
}

/**
 * Why the sandbox that a session has does not work here, in one line; undefined if it does.
 *
 * @param programs what engines run, which must be in the image of containers
 */
export async function sessionSandboxTrouble(
  world: Place,
  { kind, container }: FrozenSandbox,
  programs: readonly string[],
): Promise<string | undefined> {
  if (kind === "none") return undefined;
  if (kind === "container") return containerTrouble(world, container?.image, programs);
  return sandboxTrouble(world, kind);
}

/** Why a kind of sandbox does not work here, in one line; undefined if it works. */
async function sandboxTrouble(
  { env, cwd }: Place,
  kind: OwnProgramKind,
): Promise<string | undefined> {
  if (kind === "bubblewrap" && PLATFORM !== "linux") return "bubblewrap is for Linux";
  const executable = sandboxExecutable({ env, cwd }, kind);
  if (executable === undefined) {
    return kind === "bubblewrap" ? "bubblewrap is not installed" : "srt is not installed";
  }
  const open = openToRoot(kind);
  if (open !== undefined) return open;
  const argv = kind === "bubblewrap" ? bubblewrapProbe(executable) : srtProbe(executable);
  // Pass only PATH, because every process in the sandbox could read the environment of bubblewrap.
  const options = { cwd: "/", env: { PATH: env["PATH"] ?? "" }, timeoutMs: PROBE_MS_MAX };
  const probe = await askProgram(argv, options);
  switch (probe.kind) {
    case "absent":
      return `${kind} cannot be started (${probe.errno})`;
    case "timed-out":
      return `${kind} did not answer`;
    case "exited":
      return probe.exitCode === 0
        ? undefined
        : `${kind} does not work (${firstLine(probe.stderr.trim() || probe.output)})`;
  }
}

function firstLine(output: string): string {
  const [line = ""] = output.trim().split("\n");
  return cleanText(line, { charsMax: 200, lines: "one" });
}
