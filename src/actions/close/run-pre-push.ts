import { randomUUID } from "node:crypto";
import { join, resolve } from "node:path";
import { CannotGoOn, need } from "../../base/fatal.ts";
import { EXIT } from "../../base/exit-code.ts";
import { refusal, type Words } from "../../base/failure.ts";
import type { Oid } from "../../base/oid.ts";
import type { RunEnd } from "../../base/ports/processes.ts";
import { cleanText } from "../../base/words/clean-text.ts";
import { inSentences } from "../../base/words/in-sentences.ts";
import { shellWord } from "../../base/words/shell-word.ts";
import { shown } from "../../base/words/shown.ts";
import type { MeanwhileFact } from "../../fs-protocol/records/meanwhile-record.ts";
import { personEnvironment } from "../../git/command/git-environment.ts";
import { hookInTrace, prePushRun } from "../../git/remote/pre-push-hook.ts";
import { askProgram } from "../../host/processes/ask-program.ts";
import { findExecutable } from "../../host/processes/find-executable.ts";
import { runAttended } from "../../host/processes/run-attended.ts";
import { temporaryDirectory } from "../../host/system/this-machine.ts";
import type { FoundSession } from "../../workspace/sessions.ts";
import { gitContext, type World } from "../../workspace/world.ts";
import { hookDoubt } from "./hook-doubts.ts";
import { LineShower } from "../../host/processes/line-shower.ts";

/** How long a pre-push hook may take: many run a whole suite. */
const HOOK_MINUTES_MAX = 30;
const ASK_MS_MAX = 60_000;
/** Of the trace of a push: hooks that run git often make it long. */
const TRACE_BYTES_MAX = 64 * 1024 * 1024;

interface HookEnd {
  readonly session: string;
  readonly why: "declined" | "refused" | "stopped" | "timed-out" | "unreached";
  /** What was the matter, or the last lines of its output. */
  readonly says: string;
}

/** The person's pre-push hook did not let the push go on, or was not let run. */
export const HookFailure = refusal("pre-push", EXIT.failure, hookWords);

/** The person ended their pre-push hook. */
export const HookStopped = refusal("pre-push-stopped", EXIT.interrupted, hookWords);

function hookWords({ session, why, says }: HookEnd): Words {
  const again = `wisp done ${shellWord(session)}`;
  const message = {
    declined: "Your pre-push hook was not run, as you answered.",
    refused: `Your pre-push hook refused the push: ${shown(says)}`,
    stopped: "You ended your pre-push hook.",
    "timed-out": `Your pre-push hook was ended after ${String(HOOK_MINUTES_MAX)} minutes, which is the limit.`,
    unreached: `git ended before it ran your pre-push hook: ${shown(says)}`,
  }[why];
  return [
    inSentences(message),
    "Nothing was pushed, and nothing was removed. To try again, or to ship without the hook:",
    again,
    `${again} --no-verify`,
  ];
}

/** What became of the person's pre-push hook. */
export type PrePush =
  | { readonly kind: "none" }
  | { readonly kind: "passed" }
  | { readonly kind: "not-run"; readonly why: string };

/** How and before what the hook is run. */
export interface PrePushOptions {
  readonly remote: string;
  readonly head: Oid;
  /** False for `--no-verify`. */
  readonly verify: boolean;
  readonly yes: boolean;
  readonly json: boolean;
  readonly meanwhile: readonly MeanwhileFact[];
}

/**
 * Has git run the person's pre-push hook, on a terminal, as in a push of theirs, outside any sandbox; shows its output.
 * If it could run what an agent wrote, asks first. Throws `CannotGoOn` if the push must not go on.
 */
export async function runPrePush(
  world: World,
  found: FoundSession,
  options: PrePushOptions,
): Promise<PrePush> {
  const { id } = found.session;
  if (!(await hasHook(world, found))) return { kind: "none" };
  if (!options.verify) return { kind: "not-run", why: "you passed --no-verify" };
  if (options.json) return { kind: "not-run", why: "with --json none is run" };
  const { ask } = world;
  if (ask === undefined) return { kind: "not-run", why: "there is no terminal" };
  const doubt = need(await hookDoubt(world, found, options));
  if (doubt !== undefined) {
    if (options.yes) return { kind: "not-run", why: `${doubt}, and with --yes nothing is asked` };
    world.tell(inSentences(`Your pre-push hook could run what an agent wrote: ${doubt}`));
    const line = await ask("Run it, outside any sandbox? [y/N] ");
    if (!/^\s*y(?:es)?\s*$/iu.test(line ?? ""))
      throw new CannotGoOn(HookFailure({ session: id, why: "declined", says: "" }));
  }
  return runHook(world, found, options);
}

/** Whether git would run a hook: a file where the person's settings say, or, in later versions, a setting. */
async function hasHook(world: World, { session }: FoundSession): Promise<boolean> {
  const cwd = session.repository;
  const env = personEnvironment(world.env);
  const git = findExecutable("git", world) ?? "git";
  const printed = async (...args: readonly string[]) => {
    const answer = await askProgram([git, ...args], { cwd, env, timeoutMs: ASK_MS_MAX });
    return answer.kind === "exited" && answer.exitCode === 0 ? answer.stdout : "";
  };
  const path = (await printed("rev-parse", "--git-path", "hooks/pre-push")).replace(/\n$/u, "");
  if (path !== "" && findExecutable(resolve(cwd, path), { cwd, env }) !== undefined) return true;
  const settings = await printed("config", "--get-regexp", String.raw`^hook\..*\.event$`);
  return /^\S+ pre-push$/mu.test(settings);
}

async function runHook(
  world: World,
  { session: { id, branch, repository: directory } }: FoundSession,
  { remote, head }: PrePushOptions,
): Promise<PrePush> {
  const { files, processes } = world.host;
  const runId = `pre-push-${randomUUID()}`;
  const tracePath = join(temporaryDirectory(), `wisp-${runId}`);
  const push = { directory, remote, branch, at: head };
  const { args, env } = await prePushRun(gitContext(world), push, tracePath);
  const git = findExecutable("git", world) ?? "git";
  const shower = new LineShower(world.tell);
  world.tell(
    `Your pre-push hook runs, at most ${String(HOOK_MINUTES_MAX)} minutes. Ctrl-C ends it; then nothing is pushed.`,
  );
  const command = { argv: [git, ...args] as const, cwd: directory, env };
  const ran = await runAttended(
    {
      ...command,
      runId,
      timeoutMs: HOOK_MINUTES_MAX * 60_000,
      onOutput: (text) => shower.take(text),
    },
    processes,
  );
  shower.end();
  const trace = files.read(tracePath, TRACE_BYTES_MAX);
  files.remove(tracePath);
  const seen = hookInTrace(
    Buffer.from((trace.ok ? trace.value : undefined) ?? []).toString("utf8"),
  );
  const failed = failureOf(need(ran), seen, shower.last);
  if (failed === undefined) return seen.kind === "none" ? { kind: "none" } : { kind: "passed" };
  const about = { session: id, ...failed };
  throw new CannotGoOn(failed.why === "stopped" ? HookStopped(about) : HookFailure(about));
}

/** What prevents the push; the end of git alone does not count where the hook passed before. */
function failureOf(
  end: RunEnd,
  seen: ReturnType<typeof hookInTrace>,
  last: string,
): Pick<HookEnd, "why" | "says"> | undefined {
  const lines = cleanText(last, { charsMax: 250, lines: "one" });
  if (end.kind === "stopped" || end.kind === "timed-out") return { why: end.kind, says: lines };
  const hasEndedWell = end.kind === "exited" && end.exitCode === 0;
  if (seen.kind === "exited" && seen.exitCode === 0) return undefined;
  if (hasEndedWell) return undefined;
  if (seen.kind === "none") return { why: "unreached", says: lines };
  const how = seen.kind === "exited" ? `exit code ${String(seen.exitCode)}` : "";
  return { why: "refused", says: [how, lines].filter((one) => one !== "").join("; ") };
}
