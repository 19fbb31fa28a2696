import { randomUUID } from "node:crypto";
import { basename, join, relative } from "node:path";
import { checkpointBefore } from "../../actions/elsewhere/checkpoint-before.ts";
import { mustLeavePlace } from "../../actions/elsewhere/leave-place.ts";
import { shareBudget } from "../../actions/fleet/share-budget-left.ts";
import { namingSession } from "../../actions/elsewhere/naming-session.ts";
import { reachMirrored, runElsewhere } from "../../actions/elsewhere/say-there.ts";
import { readRequest } from "../../actions/start/read-request.ts";
import { EXIT } from "../../base/exit-code.ts";
import { need } from "../../base/fatal.ts";
import { shellWord } from "../../base/words/shell-word.ts";
import { DOCUMENT_BYTES_MAX } from "../../base/limits.ts";
import { fail, ok } from "../../base/result.ts";
import { sendUnsent } from "../../remote/branch/send-unsent.ts";
import { farCommand } from "../../remote/far-program.ts";
import { archiveBranch } from "../../git/repository/kept-refs.ts";
import { gitContext } from "../../workspace/world.ts";
import { goOnThere } from "../../remote/follow/mirror-session.ts";
import { ensureFollower } from "../../actions/elsewhere/ensure-follower.ts";
import type { Cli, Outcome } from "../../terminal/cli.ts";
import { topSession } from "../../workspace/find-session.ts";
import { keepCurrent } from "../../workspace/point-current.ts";
import { readState } from "../../workspace/session/read-state.ts";
import { readSession, type FoundSession } from "../../workspace/sessions.ts";
import { revisionHomes } from "../../fs-protocol/home/home-family.ts";
import { Usage } from "../../workspace/usage.ts";
import { showMirrored } from "../elsewhere/show-mirrored.ts";
import type { ActingCommand } from "./acting-command.ts";

/** Runs a command that changes a session at the place where the session runs, and shows here what it shows. */
export async function forwardCommand(
  cli: Cli,
  found: FoundSession,
  acting: ActingCommand,
): Promise<Outcome> {
  const { json, dryRun, shows, isDetached, isPlain } = acting;
  const unfit = TO_A_FILE.find((option) =>
    acting.words.some((word) => word === option || word.startsWith(`${option}=`)),
  );
  if (unfit !== undefined) {
    return fail(Usage({ problem: `${unfit} cannot be used for a session that runs elsewhere` }));
  }
  const exitCode = await namingSession(found, () => runAtPlace(cli, found, acting));
  if (exitCode !== EXIT.ok || dryRun) return ok(exitCode);
  const top = need(topSession(cli.host.files, cli.cwd, found));
  const { human } = need(await readState(cli, top)).state;
  const isDiscarded = human.closed !== undefined && human.closed.how !== "done";
  if (isDiscarded) await takeDiscarded(cli, top, acting);
  if (!shows || isDetached || json || isDiscarded) return ok(exitCode);
  const next = makesRevision(acting) ? (newestRevision(cli, top) ?? found) : found;
  keepCurrent(cli, next.session);
  return showMirrored(cli, next, { detach: false, json, plain: isPlain });
}

/** Keeps the commits of a session that was abandoned or rejected elsewhere, as for a session that ran here. */
async function takeDiscarded(
  cli: Cli,
  top: FoundSession,
  { words }: Pick<ActingCommand, "words">,
): Promise<void> {
  const { id, branch, repository: directory } = top.session;
  await mustLeavePlace(cli, top, { again: ["wisp", ...words].map(shellWord).join(" ") });
  need(await archiveBranch(gitContext(cli), { directory, branch }, id));
  await shareBudget(cli, top);
}

/** Options that name a file, which would be written elsewhere. */
const TO_A_FILE = ["--trace", "--record"];

function makesRevision({ name }: ActingCommand): boolean {
  return name === "revise" || name === "review";
}

function newestRevision({ host: { files } }: Cli, top: FoundSession): FoundSession | undefined {
  const newest = need(revisionHomes(files, top.home)).at(-1);
  return newest === undefined ? undefined : need(readSession(files, newest));
}

async function runAtPlace(cli: Cli, found: FoundSession, acting: ActingCommand): Promise<number> {
  const { session } = found;
  const words = await farWords(cli, found, acting);
  const inside = relative(session.repository, cli.cwd);
  const directory = inside.startsWith("..") ? "." : inside;
  if (acting.asks && cli.terminal.isInteractive) return runInTerminal(cli, found, words);
  const onLine = (line: string) => cli.terminal.err(line);
  const ran = await runElsewhere(cli, found, { words, directory, onLine });
  if (ran.stdout !== "") cli.terminal.out(ran.stdout.replace(/\n$/u, ""));
  return ran.exitCode;
}

/** The words with the file that they name copied to the place, and without what is shown here instead. */
async function farWords(
  cli: Cli,
  found: FoundSession,
  { name: command, words, file, shows, isDetached, json, dryRun }: ActingCommand,
): Promise<readonly string[]> {
  const isShown = shows && !isDetached && !json && !dryRun;
  const own = words.filter((word) => word !== "--plain");
  // A copy in the home has its name there, too.
  const isKeptThere =
    command === "tasks" &&
    file === basename(file ?? "") &&
    cli.host.files.stat(join(found.home.edits, file)) !== undefined;
  const given = file === undefined || isKeptThere ? undefined : await giveFile(cli, found, file);
  const moved = own.map((word) => {
    if (given === undefined || !word.endsWith(file ?? "")) return word;
    return word === file || word.endsWith(`=${file ?? ""}`)
      ? `${word.slice(0, word.length - (file ?? "").length)}${given}`
      : word;
  });
  const [name = "", ...rest] = moved;
  return isShown ? [name, "--detach", ...rest] : moved;
}

/** Copies a file to the place; returns its path there. */
async function giveFile(cli: Cli, found: FoundSession, path: string): Promise<string> {
  const { executor, place } = await reachMirrored(cli, found);
  // The same words about a file that cannot be read as for a session that runs here.
  const { bytes } = readRequest(cli.host.files, path, { cwd: cli.cwd, isProse: true });
  const to = join(place.root, "given", randomUUID(), basename(path));
  need(await executor.put(place, { from: bytes.subarray(0, DOCUMENT_BYTES_MAX), to }));
  return to;
}

/** Hands the terminal to the command there: it asks the person itself. */
async function runInTerminal(
  cli: Cli,
  found: FoundSession,
  words: readonly string[],
): Promise<number> {
  const mirrored = await reachMirrored(cli, found);
  const { executor, place, program, id, home, placed } = mirrored;
  const command = farCommand(place, program, { cwd: program.repository, words });
  const argv = executor.terminalArgv?.(place, {
    ...command,
    env: { ...command.env, TERM: cli.env["TERM"] ?? "dumb" },
  });
  if (argv === undefined) {
    const ran = await runElsewhere(cli, found, { words, onLine: (line) => cli.terminal.err(line) });
    return ran.exitCode;
  }
  await sendUnsent(cli, mirrored);
  await checkpointBefore(cli, mirrored, words);
  const { cwd, env } = cli;
  const end = need(await cli.host.processes.attach({ argv, cwd, env, runId: randomUUID() }));
  await ensureFollower(cli, { id, home, repository: placed.repository });
  need(await goOnThere(mirrored));
  return end.kind === "exited" ? end.exitCode : EXIT.interrupted;
}
