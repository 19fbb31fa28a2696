import { join } from "node:path";
import { FAR_COMMAND_MS_MAX, FAR_COPY_MS_MAX } from "../../base/limits.ts";
import {
  ExecutorRefused,
  type Executor,
  type ExecutorFailure,
  type Place,
} from "../../base/ports/executor.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import type { World } from "../../workspace/world.ts";
import { lastingPackage } from "../../workspace/lasting-program.ts";
import { stateRoot } from "../../workspace/state-directory.ts";
import { executorHost } from "../executor-host.ts";
import { askFar, farProgramPath, type FarProgram } from "../far-program.ts";
import { majorVersion, readFarFacts, type FarFacts } from "./far-facts.ts";
import { clearPacked, packProgram } from "./pack-program.ts";

/** The oldest Node that runs wisp. */
const NODE_MAJOR_MIN = 20;

/** `<directory> <archive>`: unpacks an archive; the directory appears whole or not at all. */
const UNPACK_SCRIPT = `
[ ! -e "$1" ] || exit 0
part="$1.part"
rm -rf -- "$part" && mkdir -p -- "$part" && tar -xzf "$2" -C "$part" && mv -- "$part" "$1" && rm -f -- "$2"`;

type Done<T> = Promise<Result<T, ExecutorFailure>>;

/** Installs this wisp at a place, with a Node that runs it, unless it is there already. */
export async function installWisp(
  world: World,
  executor: Executor,
  place: Place,
): Done<FarProgram> {
  const facts = await readFarFacts(executor, place);
  if (!facts.ok) return facts;
  if (facts.value.git === "") return fail(lacks(executor, "git"));
  const { code: digest } = world.program;
  const directory = join(place.root, "wisp", digest);
  const node = await findNode(world, executor, { place, facts: facts.value });
  if (!node.ok) return node;
  const sent = await sendPackage(world, executor, { place, directory });
  if (!sent.ok) return sent;
  const program: FarProgram = {
    ...{ version: 1, digest, node: node.value, entry: join(directory, "dist", "wisp.js") },
    repository: join(place.root, "repository"),
    state: join(place.root, "state"),
    path: facts.value.path,
  };
  const works = await checkProgram(world, executor, { place, program });
  if (!works.ok) return works;
  const from = Buffer.from(`${JSON.stringify(program)}\n`);
  const noted = await executor.put(place, { from, to: farProgramPath(place) });
  return noted.ok ? ok(program) : noted;
}

function lacks({ name }: Executor, what: string) {
  const detail = `${what} is not installed there, or not on the PATH of a login shell`;
  const hint = `Install ${what} there, then run the same command again. Nothing was started.`;
  return ExecutorRefused({ executor: name, detail, hint });
}

interface NodeSearch {
  readonly place: Place;
  readonly facts: FarFacts;
}

/** The Node of the place if it is new enough, else this machine's, if it runs there. */
async function findNode(
  world: World,
  executor: Executor,
  { place, facts }: NodeSearch,
): Done<string> {
  if (majorVersion(facts.nodeVersion) >= NODE_MAJOR_MIN) return ok(facts.node);
  const copy = join(place.root, "node");
  const { nodePath } = world;
  const here = await localFacts(world);
  const isAlike = here.system === facts.system && here.machine === facts.machine;
  if (!isAlike) return fail(lacks(executor, `Node ${String(NODE_MAJOR_MIN)} or later`));
  const present = await nodeRuns(executor, place, copy);
  if (!present.ok) return present;
  if (present.value) return ok(copy);
  world.tell(`${executor.name} has no Node ${String(NODE_MAJOR_MIN)}: copying this machine's`);
  const sent = await executor.put(place, {
    from: { path: nodePath },
    to: copy,
    isExecutable: true,
  });
  if (!sent.ok) return sent;
  const runs = await nodeRuns(executor, place, copy);
  if (!runs.ok) return runs;
  return runs.value ? ok(copy) : fail(lacks(executor, `Node ${String(NODE_MAJOR_MIN)} or later`));
}

async function localFacts(world: World): Promise<{ system: string; machine: string }> {
  const { programs, cwd, env } = executorHost(world);
  const chunks: Uint8Array[] = [];
  const onStdout = (bytes: Uint8Array) => {
    chunks.push(bytes);
  };
  const argv = ["uname", "-sm"] as const;
  await programs.stream({ argv, cwd, env, onStdout, timeoutMs: FAR_COMMAND_MS_MAX });
  const [system = "", machine = ""] = Buffer.concat(chunks).toString("utf8").trim().split(" ");
  return { system, machine };
}

/** Another libc, or an older one, shows only when the program is run. */
async function nodeRuns(executor: Executor, place: Place, node: string): Done<boolean> {
  const asked = await askFar(
    executor,
    place,
    { argv: ["sh", "-c", '[ -x "$1" ] && "$1" --version', "wisp", node] },
    { timeoutMs: FAR_COMMAND_MS_MAX },
  );
  return asked.ok ? ok(majorVersion(asked.value.stdout) >= NODE_MAJOR_MIN) : asked;
}

interface Sending {
  readonly place: Place;
  /** Where it is unpacked there. */
  readonly directory: string;
}

async function sendPackage(
  world: World,
  executor: Executor,
  { place, directory }: Sending,
): Done<void> {
  const there = await askFar(executor, place, {
    argv: ["test", "-e", directory],
  });
  if (!there.ok) return there;
  if (there.value.end.kind === "exited" && there.value.end.exitCode === 0) return ok(undefined);
  const host = executorHost(world);
  const cache = join(stateRoot(world.env), ".packed");
  const archive = join(cache, `${world.program.code}.tgz`);
  if (world.host.files.stat(archive) === undefined) {
    const made = world.host.files.makeDirectory(cache);
    if (!made.ok) return made;
    const packed = await packProgram(host, lastingPackage(world), archive);
    if (!packed.ok) return packed;
    clearPacked(world.host, archive);
  }
  const far = `${directory}.tgz`;
  const sent = await executor.put(place, { from: { path: archive }, to: far });
  if (!sent.ok) return sent;
  const unpacked = await executor.exec(
    place,
    { argv: ["sh", "-c", UNPACK_SCRIPT, "wisp", directory, far] },
    { timeoutMs: FAR_COPY_MS_MAX },
  );
  if (!unpacked.ok) return unpacked;
  const end = unpacked.value;
  if (end.kind === "exited" && end.exitCode === 0) return ok(undefined);
  const detail = `wisp could not be unpacked there: ${end.stderr.trim()}`;
  return fail(ExecutorRefused({ executor: executor.name, detail }));
}

interface Checked {
  readonly place: Place;
  readonly program: FarProgram;
}

async function checkProgram(
  { version }: World,
  executor: Executor,
  { place, program: { node, entry } }: Checked,
): Done<void> {
  const command = { argv: [node, entry, "--version"] as const };
  const asked = await askFar(
    executor,
    place,
    { argv: [...command.argv] },
    { timeoutMs: FAR_COMMAND_MS_MAX },
  );
  if (!asked.ok) return asked;
  if (asked.value.stdout.trim() === version) return ok(undefined);
  const { stderr } = asked.value.end;
  const detail = `the wisp that was put there does not run: ${stderr.trim().split("\n")[0] ?? ""}`;
  return fail(ExecutorRefused({ executor: executor.name, detail }));
}
