import { createHash } from "node:crypto";
import { join } from "node:path";
import { need } from "../../base/fatal.ts";
import { DOCUMENT_BYTES_MAX } from "../../base/limits.ts";
import type { Clone } from "../../base/ports/repo.ts";
import type { Role } from "../../base/role.ts";
import { excludeFromGit } from "../../git/repository/repository.ts";
import { runCommands, type CommandContext } from "./run-commands.ts";
import type { CommandsEnd } from "../work/run-in-order.ts";
import type { Ports, RoleContext } from "../work/role-context.ts";

/** Files whose change means that what was installed may be out of date. */
const LOCK_FILES = [
  "package-lock.json",
  "npm-shrinkwrap.json",
  "pnpm-lock.yaml",
  "yarn.lock",
  "bun.lock",
  "bun.lockb",
  "uv.lock",
  "poetry.lock",
  "requirements.txt",
  "Pipfile.lock",
  "go.sum",
  "Cargo.lock",
  "Gemfile.lock",
  "composer.lock",
];

/**
 * Makes a role's clone ready for its engine, which builds and tests there for itself; no verdict comes from it.
 *
 * Runs the session's `setup` in the clone when it has not run there for these lock files. What was
 * set up is remembered in the clone, so that a restart does not install again. Folders that it makes in
 * the root are no part of the work, whatever `.gitignore` says: the clone ignores them from then on.
 */
export async function ensureSetup(context: CommandContext, clone: Clone): Promise<CommandsEnd> {
  const { session, ports, role } = context;
  if (session.setup.length === 0) return { kind: "passed" };
  // Inside, so that a clone that has to be made anew is set up anew.
  const marker = join(clone.directory, ".git", "wisp-setup.sha256");
  const digest = digestOf(context, clone);
  const before = need(ports.files.read(marker));
  if (before !== undefined && Buffer.from(before).toString() === digest) return { kind: "passed" };
  const present = new Set(need(ports.files.list(clone.directory)));
  const end = await runCommands(context, {
    commands: session.setup,
    cwd: clone.directory,
    output: setupOutput(role),
    timeoutMs: session.verifyTimeoutMs,
    // Without it nothing could be installed.
    needsNetwork: true,
  });
  if (end.kind !== "passed") return end;
  const made = need(ports.files.list(clone.directory)).filter((name) => !present.has(name));
  ignoreFolders(ports, clone, made);
  // What it wrote over is no work of the turn that follows.
  need(await clone.clean());
  need(ports.files.replace(marker, Buffer.from(digest)));
  return end;
}

/** Of these names in the root those of folders: a pattern with a slash at its end fits no file. */
function ignoreFolders(
  { files }: Pick<Ports, "files">,
  clone: Clone,
  names: readonly string[],
): void {
  const patterns = names
    .filter((name) => !/[\r\n]/.test(name))
    .map((name) => `/${name.replace(/[\\*?[]/g, "\\$&")}/`);
  need(excludeFromGit({ files }, { commonDirectory: join(clone.directory, ".git") }, patterns));
}

/** Name of the file below `logs/turns/` that setup writes to, without ending. */
function setupOutput(role: Role): string {
  return `setup-${role}`;
}

function digestOf({ session, ports }: Pick<RoleContext, "session" | "ports">, clone: Clone) {
  const hash = createHash("sha256").update(JSON.stringify(session.setup));
  for (const name of LOCK_FILES) {
    const bytes = ports.files.read(join(clone.directory, name), DOCUMENT_BYTES_MAX * 16);
    if (bytes.ok && bytes.value !== undefined) hash.update(name).update(bytes.value);
  }
  return hash.digest("hex");
}
