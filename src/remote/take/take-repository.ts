import { dirname, join } from "node:path";
import { EXIT } from "../../base/exit-code.ts";
import { refusal } from "../../base/failure.ts";
import { shown } from "../../base/words/shown.ts";
import type { WorldFailure } from "../../base/fatal.ts";
import type { FileFailure } from "../../base/ports/files.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import { jsonOf } from "../../base/words/json-text.ts";
import { schemaProblem } from "../../fs-protocol/codec/schema-problem.ts";
import { userGit } from "../../git/command/git.ts";
import { SentSubmodule, takeSubmodule } from "../../git/submodules/take-submodule.ts";
import { KNOWN_FILTER } from "../../git/repository/filter-drivers.ts";
import { gitContext, type World } from "../../workspace/world.ts";
import {
  GIVEN_BUNDLE,
  GIVEN_CONTENTS,
  GIVEN_REPOSITORY,
  GIVEN_SUBMODULES,
  GivenRepository,
} from "./given-repository.ts";
import { eachJoined } from "./joined-files.ts";
import { takeContents } from "./take-contents.ts";

/** What a place was given cannot be used. */
export const GivenDamaged = refusal(
  "given-damaged",
  EXIT.failure,
  ({ problem }: { readonly problem: string }) => [
    `The repository that was sent to this place is damaged: ${shown(problem)}.`,
    "Send it again: run the command that began this once more, where you began it.",
  ],
);
export type GivenDamaged = ReturnType<typeof GivenDamaged>;

type Taken = Result<void, WorldFailure>;

/**
 * Makes the repository of a session at its place from what was sent there. It appears whole or not at all; if it is
 * there, nothing is done.
 */
export async function takeRepository(
  world: Pick<World, "host" | "env">,
  { root, repository }: { readonly root: string; readonly repository: string },
): Promise<Taken> {
  const { files, directories } = world.host;
  if (directories.kindOf(repository) !== undefined) return removeBesides(world, root);
  const text = files.read(join(root, "given", GIVEN_REPOSITORY));
  if (!text.ok) return text;
  const json = jsonOf(Buffer.from(text.value ?? []).toString("utf8"));
  const parsed = GivenRepository.safeParse(json);
  if (!parsed.success) return fail(GivenDamaged({ problem: schemaProblem(parsed.error) }));
  const part = `${repository}.part`;
  const cleared = directories.removeTree(part);
  if (!cleared.ok) return cleared;
  const made = files.makeDirectory(part);
  if (!made.ok) return made;
  const filled = await checkOut(world, { part, root, given: parsed.data });
  if (!filled.ok) return filled;
  const besides = await takeBesides(world, { part, root });
  if (!besides.ok) return besides;
  const set = writeSettings(world, part, parsed.data);
  const moved = set.ok ? directories.move(part, repository) : set;
  return moved.ok ? removeBesides(world, root) : moved;
}

/** Takes what commits only name: content under Git LFS, and submodules. */
async function takeBesides(
  world: Pick<World, "host" | "env">,
  { part, root }: { readonly part: string; readonly root: string },
): Promise<Result<void, WorldFailure>> {
  const { host } = world;
  const scratch = join(root, "given");
  const contents = { path: join(scratch, GIVEN_CONTENTS), repository: part, scratch };
  const hasContents = await takeContents(world, contents);
  if (!hasContents.ok) return hasContents;
  const path = join(scratch, GIVEN_SUBMODULES);
  if (host.files.stat(path) === undefined) return ok(undefined);
  const hasModules = await eachJoined(host, { path, scratch }, (file) => {
    const sent = SentSubmodule.safeParse(jsonOf(file.name));
    if (sent.success)
      return takeSubmodule(gitContext(world), part, { sent: sent.data, path: file.path });
    return Promise.resolve(fail(GivenDamaged({ problem: schemaProblem(sent.error) })));
  });
  if (!hasModules.ok) return hasModules;
  const isWhole = hasContents.value && hasModules.value;
  return isWhole
    ? ok(undefined)
    : fail(GivenDamaged({ problem: "files that it needs are cut off" }));
}

/** They may be large, and are in the repository now. */
function removeBesides({ host }: Pick<World, "host">, root: string): Result<void, FileFailure> {
  for (const name of [GIVEN_CONTENTS, GIVEN_SUBMODULES]) {
    const removed = host.files.remove(join(root, "given", name));
    if (!removed.ok) return removed;
  }
  return ok(undefined);
}

async function checkOut(
  world: Pick<World, "host" | "env">,
  {
    part,
    root,
    given,
  }: { readonly part: string; readonly root: string; readonly given: GivenRepository },
): Promise<Taken> {
  const git = userGit(gitContext(world), part);
  const { head, branch, identity, filters, refs } = given;
  const steps = [
    ["init", "--quiet"],
    ["config", "user.name", identity.name],
    ["config", "user.email", identity.email],
    [
      "fetch",
      "--quiet",
      "--no-tags",
      "--no-write-fetch-head",
      join(root, "given", GIVEN_BUNDLE),
      "HEAD",
      "+refs/tags/*:refs/tags/*",
    ],
    branch === undefined
      ? ["checkout", "--quiet", "--detach", head]
      : ["checkout", "--quiet", "-B", branch, head],
    ...(filters ?? []).map((name) => ["config", "--add", KNOWN_FILTER, name]),
  ];
  // git-lfs would fetch what was not sent. Clones get what was, and this checkout is used by nobody.
  const variables = { GIT_LFS_SKIP_SMUDGE: "1" };
  for (const args of steps) {
    const done = await git.act(args, { variables });
    if (!done.ok) return done;
  }
  const others = (refs ?? []).filter(({ name }) => name !== `refs/heads/${branch ?? ""}`);
  const stdin = others.map(({ name, oid }) => `update ${name} ${oid}\n`).join("");
  return git.act(["update-ref", "--stdin"], { stdin, encoding: "latin1" });
}

/** The settings are as in the work tree that was sent, whatever is committed. */
function writeSettings(
  { host: { files, directories } }: Pick<World, "host">,
  part: string,
  { settings }: GivenRepository,
): Taken {
  const wisp = join(part, ".wisp");
  for (const name of ["templates", "reviewers"]) {
    const emptied = directories.removeTree(join(wisp, name));
    if (!emptied.ok) return emptied;
  }
  const removed = files.remove(join(wisp, "config.yaml"));
  if (!removed.ok) return removed;
  for (const { path, base64 } of settings) {
    const full = join(wisp, path);
    const made = files.makeDirectory(dirname(full));
    if (!made.ok) return made;
    const written = files.replace(full, Buffer.from(base64, "base64"));
    if (!written.ok) return written;
  }
  return ok(undefined);
}
