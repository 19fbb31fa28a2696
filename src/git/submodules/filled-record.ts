import { createHash } from "node:crypto";
import { join } from "node:path";
import { GITMODULES_BYTES_MAX } from "../../base/submodule-limits.ts";
import type { GitFailure } from "../../base/ports/repo.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import type { CloneRepo } from "../clone/clone-repo.ts";
import { fileAsGitFailure } from "../command/git-failure.ts";
import type { FilledSubmodule } from "./submodule-links.ts";

/** The folder next to a clone, out of reach of its engine, with what is known of its submodules. */
export function recordFolder({ directory }: Pick<CloneRepo, "directory">): string {
  return `${directory}.submodules`;
}

/** The index of a submodule's files: with it, and without any repository in the folder, git tells what was changed. */
export function indexOf(repo: Pick<CloneRepo, "directory">, path: string): string {
  const name = createHash("sha256").update(path).digest("hex").slice(0, 16);
  return join(recordFolder(repo), `${name}.index`);
}

const LINE = /^(?<commit>[0-9a-f]{40,64}) (?<state>whole|begun) (?<bytes>\d+) (?<path>.+)$/u;

/** The submodules that wisp filled; read once, because nobody else writes the record while this process has the clone. */
export function filledIn(repo: CloneRepo): readonly FilledSubmodule[] {
  repo.memory.filled ??= readRecord(repo);
  return repo.memory.filled;
}

function readRecord(repo: CloneRepo): readonly FilledSubmodule[] {
  const read = repo.context.files.read(recordPath(repo), GITMODULES_BYTES_MAX);
  const text = read.ok ? Buffer.from(read.value ?? []).toString("utf8") : "";
  return text.split("\n").flatMap((line) => {
    const { commit, state, bytes, path } = LINE.exec(line)?.groups ?? {};
    if (commit === undefined || path === undefined) return [];
    return [{ path, commit, isWhole: state === "whole", bytes: Number(bytes) }];
  });
}

/** Replaces the record, unless it would say the same. */
export function recordFilled(
  repo: CloneRepo,
  filled: readonly FilledSubmodule[],
): Result<void, GitFailure> {
  if (JSON.stringify(filled) === JSON.stringify(filledIn(repo))) return ok(undefined);
  const { files } = repo.context;
  const lines = filled.map(
    ({ path, commit, isWhole, bytes }) =>
      `${commit} ${isWhole ? "whole" : "begun"} ${String(bytes)} ${path}\n`,
  );
  const made = files.makeDirectory(recordFolder(repo));
  const written = made.ok ? files.replace(recordPath(repo), Buffer.from(lines.join(""))) : made;
  if (!written.ok) return fail(fileAsGitFailure("submodules", written.failure));
  repo.memory.filled = filled;
  return ok(undefined);
}

function recordPath(repo: CloneRepo): string {
  return join(recordFolder(repo), "filled");
}

/** Whether a path is one of these submodules, or in one of them. */
export function isInSubmodule(path: string, above: string): boolean {
  return path === above || path.startsWith(`${above}/`);
}
