import { execFile } from "node:child_process";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { runsHere } from "../rig/runs-here.ts";
import { MACHINE_PATH } from "../rig/own-environment.ts";

const run = promisify(execFile);

const SCRIPT = join(dirname(fileURLToPath(import.meta.url)), "slurm-up.sh");
const PATH = [MACHINE_PATH, "/usr/sbin", "/sbin"].join(delimiter);

/** Why there can be no cluster here, if so. */
export const NO_SLURM =
  process.geteuid?.() !== 0
    ? "skipped: a cluster of Slurm needs root"
    : !["munged", "slurmctld", "slurmd", "srun"].every((name) => runsHere(["which", name]))
      ? "skipped: slurm-wlm or munge is not here"
      : undefined;

/** A cluster of one node on this machine. */
export interface SlurmCluster {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  /** The name of its node. */
  readonly node: string;
  /** What one of its programs prints. Throws if it fails. */
  readonly say: (...argv: readonly [string, ...string[]]) => Promise<string>;
  /** Ends its daemons and all jobs, and removes its folder. */
  readonly close: () => Promise<void>;
}

/** Starts a cluster whose node has that many processors. */
export async function openSlurm({ cpus = 2 }: { readonly cpus?: number } = {}) {
  const folder = await mkdtemp(join(tmpdir(), "wisp-slurm-"));
  // Other users' jobs would read the configuration, too.
  await chmod(folder, 0o755);
  const close = async () => {
    await run(SCRIPT, ["down", folder], { env: { PATH } });
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const { stdout } = await run(SCRIPT, ["up", folder, String(cpus)], { env: { PATH } });
    const lines = stdout.split("\n").filter(Boolean);
    const env = Object.fromEntries(lines.map((line) => splitAt(line, line.indexOf("="))));
    const say: SlurmCluster["say"] = async (program, ...words) =>
      (await run(program, words, { env: { PATH, ...env } })).stdout.trim();
    const node = await say("sinfo", "--noheader", "--format=%n");
    return { ...{ folder, env, say, close }, node: node.split("\n")[0] ?? "" };
  } catch (error) {
    await close();
    throw error;
  }
}

function splitAt(text: string, at: number): readonly [string, string] {
  return [text.slice(0, at), text.slice(at + 1)];
}
