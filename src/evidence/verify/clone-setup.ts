import { createHash } from "node:crypto";
import { join } from "node:path";
import { need } from "../../base/fatal.ts";
import { DOCUMENT_BYTES_MAX } from "../../base/limits.ts";
import type { Clone } from "../../base/ports/repo.ts";
import type { Role } from "../../base/role.ts";
import { SETUP_MARKER } from "../../git/clone/setup-marker.ts";
import { excludeFromGit } from "../../git/repository/repository.ts";
import { runCommands, type CommandContext } from "./run-commands.ts";
import type { CommandsEnd } from "../../work/run-in-order.ts";
import type { Ports, RoleContext } from "../../work/role-context.ts";

/** Files whose change means that installed packages may be out of date. */
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
 * Sets up a role's clone for its engine, which builds and tests there; wisp takes no verdict from it.
 *
 * Runs the session's `setup` in the clone unless it already ran there with the same lock files. A marker in the
 * clone records that, so that a restart does not install again. The clone ignores folders that setup creates in
 * its root, whatever `.gitignore` contains, because they are not part of the work.
 */
export async function ensureSetup(context: CommandContext, clone: Clone): Promise<CommandsEnd> {
  const { session, ports, role } = context;
  if (session.setup.length === 0) return { kind: "passed" };
  // Inside the clone, so that a recreated clone is set up again.
  const marker = join(clone.directory, ".git", SETUP_MARKER);
  const digest = digestOf(context, clone);
  const before = need(ports.files.read(marker));
  if (before !== undefined && Buffer.from(before).toString() === digest) return { kind: "passed" };
  // Setup may change any file, so nothing that is known of them counts from here on.
  need(await clone.clean());
  const present = new Set(need(ports.files.list(clone.directory)));
  const end = await runCommands(context, {
    commands: session.setup,
    cwd: clone.directory,
    output: setupOutput(role),
    timeoutMs: session.verifyTimeoutMs,
    // Setup needs the network to install packages.
    needsNetwork: true,
  });
  if (end.kind !== "passed") return end;
  const made = need(ports.files.list(clone.directory)).filter((name) => !present.has(name));
  ignoreFolders(ports, clone, made);
  // Tracked files that setup changed are not work of the next turn.
  need(await clone.clean());
  need(ports.files.replace(marker, Buffer.from(digest)));
  return end;
}

/** Ignores the folders among these names: a pattern with a slash at its end matches no file. */
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

/** Name of setup's output file in `logs/turns/`, without extension. */
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
