import { type InitTemplate } from "../../base/choices.ts";
import { dirname, join, relative } from "node:path";
import { need } from "../../base/fatal.ts";
import { EXIT } from "../../base/exit-code.ts";
import { fail, ok } from "../../base/result.ts";
import { locateGitDirectory } from "../../git/command/git-directory.ts";
import { excludeFromGit, NotARepository } from "../../git/repository/repository.ts";
import type { Cli, Outcome } from "../../terminal/cli.ts";
import { EXCLUDED_FROM_GIT } from "../../actions/start/excluded-from-git.ts";
import { missingAround } from "../../actions/start/not-in-base.ts";
import type { Missing } from "../../evidence/missing/missing.ts";
import { findFirstFacts } from "../../actions/init/find-first-facts.ts";
import { firstSettings, SCHEMA_FILE } from "../../actions/init/first-settings.ts";
import { shippedTemplates } from "../../actions/settings/reviewer-directories.ts";
import { count } from "../../base/words/sentence.ts";
import { workTreeAround } from "../../workspace/sessions.ts";

export interface InitOptions {
  readonly template: InitTemplate;
  /** Also copy the shipped prompts and reviewers. */
  readonly prompts: boolean;
  /** Only show what would be written. */
  readonly dryRun: boolean;
  readonly json: boolean;
}

/** What `wisp init --json` prints; fields are added, never renamed or removed. */
export interface InitView {
  readonly schema: "wisp.init/1";
  readonly template: InitTemplate;
  /** Nothing was written. */
  readonly dryRun: boolean;
  /** Files that were written, or would be; relative to the repository. */
  readonly written: readonly string[];
  /** Files that were there already, and stayed as they were. */
  readonly kept: readonly string[];
  /** What verify is likely to miss at the last commit, as far as that needs no run: hints. Empty without a commit. */
  readonly missing: readonly Missing[];
}

interface InitFile {
  /** Absolute. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

/**
 * `wisp init`: writes settings to `.wisp/`, with the engine and the verify command that it finds, to be changed and
 * committed; and, if asked, prompts and reviewers. Existing files are never touched, except for the settings' JSON
 * Schema, which nobody edits; none of the files is required.
 */
export async function init(
  cli: Cli,
  { template, prompts, dryRun, json }: InitOptions,
): Promise<Outcome> {
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
  const wanted = filesOf(cli, repository, { template, prompts });
  const kept = wanted.filter((file) => isKept(cli, file));
  const missing = wanted.filter((file) => !kept.includes(file));
  if (!dryRun) {
    // Session files must not be committed.
    need(excludeFromGit(host, located, EXCLUDED_FROM_GIT));
    write(cli, missing);
  }
  const names = (files: readonly InitFile[]) => files.map(({ path }) => relative(repository, path));
  const { missing: lacking, notices } = await missingAround(cli);
  if (json) {
    const files = { written: names(missing), kept: names(kept) };
    const view: InitView = { schema: "wisp.init/1", template, dryRun, ...files, missing: lacking };
    terminal.out(JSON.stringify(view, undefined, 2));
    return ok(EXIT.ok);
  }
  for (const name of names(missing)) terminal.out(`${dryRun ? "would write" : "wrote"} ${name}`);
  for (const name of names(kept)) terminal.out(`kept ${name}`);
  for (const line of notices) terminal.err(line);
  terminal.err(
    dryRun
      ? `${count(missing.length, "file")} would be written. Nothing was written.`
      : "Change what you like and commit .wisp; then: wisp start request.md",
  );
  return ok(EXIT.ok);
}

/** Whether a file stays as it is: it is there already, and a schema is that of this wisp. */
function isKept({ host }: Cli, { path, bytes }: InitFile): boolean {
  if (host.directories.kindOf(path) === undefined) return false;
  if (!path.endsWith(SCHEMA_FILE)) return true;
  return Buffer.from(need(host.files.read(path)) ?? []).equals(bytes);
}

/** The settings with their schema and, if asked for, the shipped prompts and reviewers. */
function filesOf(
  cli: Cli,
  repository: string,
  { template, prompts }: Pick<InitOptions, "template" | "prompts">,
): readonly InitFile[] {
  const shipped = shippedTemplates(cli);
  const wisp = join(repository, ".wisp");
  const text = Buffer.from(bytesOf(cli, join(shipped, "init", `${template}.yaml`))).toString();
  const settings = firstSettings(text, findFirstFacts(cli, repository));
  const config = { path: join(wisp, "config.yaml"), bytes: Buffer.from(settings) };
  const schema = {
    path: join(wisp, SCHEMA_FILE),
    bytes: bytesOf(cli, join(dirname(shipped), "schemas", SCHEMA_FILE)),
  };
  if (!prompts) return [config, schema];
  return [
    ...[config, schema],
    ...copies(cli, shipped, join(wisp, "templates")),
    ...copies(cli, join(shipped, "reviewers"), join(wisp, "reviewers")),
  ];
}

function copies(cli: Cli, from: string, to: string): readonly InitFile[] {
  return need(cli.host.files.list(from))
    .filter((name) => name.endsWith(".md"))
    .map((name) => ({ path: join(to, name), bytes: bytesOf(cli, join(from, name)) }));
}

function bytesOf({ host }: Cli, path: string): Uint8Array {
  return need(host.files.read(path)) ?? new Uint8Array();
}

function write({ host }: Cli, missing: readonly InitFile[]): void {
  for (const { path, bytes } of missing) {
    need(host.files.makeDirectory(dirname(path)));
    if (path.endsWith(SCHEMA_FILE)) {
      need(host.files.replace(path, bytes));
      continue;
    }
    const created = host.files.create(path, bytes);
    // Another process created the file first, so it stays.
    if (!created.ok && created.failure.errno !== "EEXIST") need(created);
  }
}
