import type { Environment } from "../base/ports/processes.ts";
import { cleanText } from "../base/words/clean-text.ts";
import { CONTAINER_PROBE_MS_MAX } from "../base/container-limits.ts";
import { CONTAINER_PROGRAMS } from "../executors/container/engine.ts";
import { askProgram, type ProgramAnswer } from "../host/processes/ask-program.ts";
import { findExecutable } from "../host/processes/find-executable.ts";
import { USER_AND_GROUP } from "../host/system/this-machine.ts";
import { lockedWords, type ContainerEngineProgram } from "../sandbox/container/container-words.ts";
import { isOfImage } from "../sandbox/protected-places.ts";

type Place = { readonly env: Environment; readonly cwd: string };

/** The program that runs containers here: podman, or else docker. */
export function containerProgram(place: Place): ContainerEngineProgram | undefined {
  for (const name of CONTAINER_PROGRAMS) {
    const path = findExecutable(name, place);
    if (path !== undefined) return { name, path };
  }
  return undefined;
}

/** What must be in an image: `sh` finds each of these words, or prints it. */
const LOOK_SCRIPT = `for program; do command -v "$program" >/dev/null 2>&1 || echo "missing $program"; done
for socket in /run/podman/podman.sock /run/docker.sock /var/run/docker.sock; do
  [ -S "$socket" ] && echo "socket $socket"
done
echo looked`;

/** What every turn needs besides its engine. */
const ALWAYS_NEEDED: readonly string[] = ["git"];

/**
 * Why no turn can run in containers of an image here, in one line; undefined if it can. Runs one container, without a
 * network and without anything of this machine, and pulls nothing.
 *
 * @param programs what engines run; those at paths that are not an image's are the machine's, and not looked for
 */
export async function containerTrouble(
  { env, cwd }: Place,
  image: string | undefined,
  programs: readonly string[],
): Promise<string | undefined> {
  if (image === undefined) {
    return "the settings name no image: sandbox: { kind: container, image: … }";
  }
  const program = containerProgram({ env, cwd });
  if (program === undefined) return "neither podman nor docker is installed";
  const ask: Ask = (...words) =>
    askProgram([program.path, ...words], { cwd, env, timeoutMs: CONTAINER_PROBE_MS_MAX });
  return (await imageTrouble(ask, program, image)) ?? runTrouble(ask, program, { image, programs });
}

type Ask = (...words: readonly string[]) => Promise<ProgramAnswer>;

async function imageTrouble(
  ask: Ask,
  { name }: ContainerEngineProgram,
  image: string,
): Promise<string | undefined> {
  const found = await ask("image", "inspect", "--format", "{{.Id}}", image);
  if (found.kind !== "exited") return `${name} does not answer`;
  if (found.exitCode !== 0) {
    const isAbsent = /no such image|image not known|not found/iu.test(found.stderr);
    if (!isAbsent) return `${name} does not work (${lineOf(found.stderr)})`;
    return `the image ${image} is not here; if you trust it: ${name} pull ${image}`;
  }
  if (name !== "docker") return undefined;
  const info = await ask("info", "--format", "{{.SecurityOptions}}");
  const isRootless = info.kind === "exited" && info.stdout.includes("rootless");
  return isRootless
    ? "docker runs without root here, and would give the files to others: install podman"
    : undefined;
}

async function runTrouble(
  ask: Ask,
  program: ContainerEngineProgram,
  { image, programs }: { readonly image: string; readonly programs: readonly string[] },
): Promise<string | undefined> {
  const all = [...ALWAYS_NEEDED, ...programs];
  const needed = all.filter((one) => !one.startsWith("/") || isOfImage(one));
  const looked = await ask(
    ...["run", "--rm", "--pull=never", "--network", "none", "--log-driver", "none", "--read-only"],
    ...lockedWords({ program, user: USER_AND_GROUP }),
    ...["--entrypoint", "/bin/sh", image, "-c", LOOK_SCRIPT, "wisp", ...needed],
  );
  if (looked.kind !== "exited") return `a container of ${image} did not answer`;
  if (!looked.stdout.endsWith("looked\n")) {
    return `no container of ${image} can be run (${lineOf(looked.stderr)})`;
  }
  const lines = looked.stdout.split("\n");
  const missing = lines.filter((line) => line.startsWith("missing ")).map((line) => line.slice(8));
  if (missing.length > 0) return `the image ${image} does not contain ${missing.join(", ")}`;
  const socket = lines.find((line) => line.startsWith("socket "))?.slice(7);
  return socket === undefined
    ? undefined
    : `a container of ${image} can reach ${socket}, and so this machine`;
}

function lineOf(text: string): string {
  const line = text.trim().split("\n").at(-1) ?? "";
  return cleanText(line, { charsMax: 200, lines: "one" });
}
