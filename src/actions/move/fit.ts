import { z } from "zod";
import { lateObject } from "../../base/late-object.ts";
import { NonEmpty } from "../../base/plain-values.ts";
import { FrozenSandbox } from "../../fs-protocol/home/session-json.ts";
import { GIT_VERSION_MIN, gitVersion } from "../../git/command/git-version.ts";
import { findExecutable } from "../../host/processes/find-executable.ts";
import { sessionSandboxTrouble } from "../../workspace/choose-sandbox.ts";
import { gitContext, type World } from "../../workspace/world.ts";

/** What a session needs of the machine to which it is to move. */
export const FitAsk = lateObject(() => ({
  version: z.literal(1),
  /** Names or absolute paths of programs that its roles run. */
  programs: z.array(NonEmpty).readonly(),
  sandbox: FrozenSandbox.optional(),
}));
export type FitAsk = z.infer<typeof FitAsk>;

/** What a machine lacks of it. */
export const FitAnswer = lateObject(() => ({
  missing: z.array(NonEmpty).readonly(),
  /** Why git or the sandbox does not work there, in one line; null if both do. */
  trouble: NonEmpty.nullable(),
}));
export type FitAnswer = z.infer<typeof FitAnswer>;

/** Tries here what a session needs, in the same way as a new session does. */
export async function fitOf(world: World, { programs, sandbox }: FitAsk): Promise<FitAnswer> {
  const isOfImage = sandbox?.kind === "container";
  const wanted = isOfImage ? [] : programs;
  const missing = wanted.filter((name) => findExecutable(name, world) === undefined);
  const boxed = sandbox && (await sessionSandboxTrouble(world, sandbox, programs));
  const trouble = (await gitTrouble(world)) ?? boxed;
  return { missing, trouble: trouble ?? null };
}

async function gitTrouble(world: World): Promise<string | undefined> {
  const git = await gitVersion(gitContext(world), world.cwd);
  if (git.kind === "missing") return "git is not installed";
  return git.isEnough ? undefined : `git ${git.version} is older than ${GIT_VERSION_MIN}`;
}
