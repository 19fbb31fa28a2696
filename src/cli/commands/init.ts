import { type InitTemplate } from "../../base/choices.ts";
import { join, relative } from "node:path";
import { need } from "../../base/fatal.ts";
import { EXIT } from "../../base/exit-code.ts";
import { fail, ok } from "../../base/result.ts";
import { locateGitDirectory } from "../../git/command/git-directory.ts";
import { excludeFromGit, NotARepository } from "../../git/repository/repository.ts";
import type { Cli, Outcome } from "../../terminal/cli.ts";
import { EXCLUDED_FROM_GIT } from "../../actions/start/excluded-from-git.ts";
import { shippedTemplates } from "../../actions/settings/reviewer-directories.ts";
import { count } from "../../base/words/sentence.ts";
import { workTreeAround } from "../../workspace/sessions.ts";

export interface InitOptions {
  readonly template: InitTemplate;
  /** Only show what would be written. */
  readonly dryRun: boolean;
  readonly json: boolean;
}

interface InitFile {
  /** Absolute. */
  readonly path: string;
  /** Of the shipped file that it is copied from. */
  readonly from: string;
}

/**
 * `wisp init`: writes settings, prompts and reviewers to `.wisp/`, to be changed and committed. Existing
 * files are never touched; none of the files is required.
 */
export function init(cli: Cli, { template, dryRun, json }: InitOptions): Outcome {
  const { host, terminal, cwd } = cli;
  const repository = workTreeAround(host.files, cwd);
  const located = repository === undefined ? undefined : locateGitDirectory(host.files, repository);
  // A folder named .git does not make a repository.
  if (
    repository === undefined ||
    located === undefined ||
    host.files.stat(join(located.commonDirectory, "HEAD")) === undefined
  ) {
    return fail(NotARepository({ directory: cwd }));
  }
  const wanted = filesOf(cli, repository, template);
  const isThere = ({ path }: InitFile) => host.directories.kindOf(path) !== undefined;
  const kept = wanted.filter(isThere);
  const missing = wanted.filter((file) => !isThere(file));
  if (!dryRun) {
    // Session files must not be committed.
    need(excludeFromGit(host, located, EXCLUDED_FROM_GIT));
    write(cli, missing);
  }
  const names = (files: readonly InitFile[]) => files.map(({ path }) => relative(repository, path));
  if (json) {
    const view = { schema: "wisp.init/1", template, dryRun, written: names(missing) };
    terminal.out(JSON.stringify({ ...view, kept: names(kept) }, undefined, 2));
    return ok(EXIT.ok);
  }
  for (const name of names(missing)) terminal.out(`${dryRun ? "would write" : "wrote"} ${name}`);
  for (const name of names(kept)) terminal.out(`kept ${name}`);
  terminal.err(
    dryRun
      ? `${count(missing.length, "file")} would be written. Nothing was written.`
      : "Change what you like and commit .wisp; then: wisp start request.md",
  );
  return ok(EXIT.ok);
}

/** The settings and, except for `minimal`, the shipped prompts and reviewers. */
function filesOf(cli: Cli, repository: string, template: InitTemplate): readonly InitFile[] {
  const shipped = shippedTemplates(cli);
  const wisp = join(repository, ".wisp");
  const config = {
    path: join(wisp, "config.yaml"),
    from: join(shipped, "init", `${template}.yaml`),
  };
  if (template === "minimal") return [config];
  const prompts = copies(cli, shipped, join(wisp, "templates"));
  const reviewers = copies(cli, join(shipped, "reviewers"), join(wisp, "reviewers"));
  return [config, ...prompts, ...reviewers];
}

function copies({ host }: Cli, from: string, to: string): readonly InitFile[] {
  const names = need(host.files.list(from));
  return names
    .filter((name) => name.endsWith(".md"))
    .map((name) => ({ path: join(to, name), from: join(from, name) }));
}

function write({ host }: Cli, missing: readonly InitFile[]): void {
  for (const { path, from } of missing) {
    const text = need(host.files.read(from));
    need(host.files.makeDirectory(join(path, "..")));
    const created = host.files.create(path, text ?? new Uint8Array());
    // Another process created the file first, so it stays.
    if (!created.ok && created.failure.errno !== "EEXIST") need(created);
  }
}
