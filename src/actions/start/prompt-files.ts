import { dirname, join } from "node:path";
import type { FileFailure } from "../../base/ports/files.ts";
import { CONFIG_CHARS_MAX, DOCUMENT_BYTES_MAX } from "../../base/limits.ts";
import { ok, type Result } from "../../base/result.ts";
import type { SessionJson } from "../../fs-protocol/home/session-json.ts";
import type { World } from "../../workspace/world.ts";
import { reviewerDirectories, shippedTemplates } from "../../workspace/reviewer-directories.ts";

/** A file that says what roles are told. */
export interface PromptFile {
  /** Below `.wisp/`, and below where it is frozen: `templates/build.md`, `reviewers/security.md`. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** Directories of prompts, each in order of preference. */
export interface PromptDirectories {
  readonly templates: readonly string[];
  readonly reviewers: readonly string[];
}

/** Where a session keeps the templates and reviewers that it began with: outside the checkout. */
export function frozenPrompts(state: string): string {
  return join(state, "prompts");
}

/**
 * The templates and reviewers of a session: as they were when it was made, else, for one that was made before
 * they were frozen, those of the checkout; and behind them the shipped ones.
 */
export function promptDirectories(
  world: Pick<World, "host" | "entry">,
  { repository, state }: Pick<SessionJson, "repository" | "state">,
): PromptDirectories {
  const frozen = frozenPrompts(state);
  const isFrozen = world.host.directories.kindOf(frozen) === "directory";
  const own = isFrozen ? frozen : join(repository, ".wisp");
  const shipped = shippedTemplates(world);
  return {
    templates: [join(own, "templates"), shipped],
    reviewers: [join(own, "reviewers"), join(shipped, "reviewers")],
  };
}

/** The templates and reviewers of a checkout, as they stand there, committed or not. */
export function readPrompts(
  { host: { files }, entry }: Pick<World, "host" | "entry">,
  repository: string,
): Result<readonly PromptFile[], FileFailure> {
  const wisp = join(repository, ".wisp");
  // A name that no purpose has is no template.
  const known = files.list(shippedTemplates({ entry }));
  if (!known.ok) return known;
  const templates = readAll(files, join(wisp, "templates"), {
    isPrompt: (name) => name.endsWith(".md") && known.value.includes(name),
    bytesMax: DOCUMENT_BYTES_MAX,
  });
  if (!templates.ok) return templates;
  const [own] = reviewerDirectories({ entry }, repository);
  const reviewers = readAll(files, own, {
    isPrompt: (name) => /^[^.].*\.md$/.test(name),
    bytesMax: CONFIG_CHARS_MAX,
  });
  if (!reviewers.ok) return reviewers;
  return ok([
    ...templates.value.map(({ name, bytes }) => ({ path: join("templates", name), bytes })),
    ...reviewers.value.map(({ name, bytes }) => ({ path: join("reviewers", name), bytes })),
  ]);
}

/** Puts them where a session keeps them, in place of what a killed process left there. */
export function freezePrompts(
  { files, directories }: World["host"],
  state: string,
  prompts: readonly PromptFile[],
): Result<void, FileFailure> {
  const directory = frozenPrompts(state);
  directories.removeTree(directory);
  const paths = prompts.map(({ path }) => join(directory, path));
  for (const parent of new Set([directory, ...paths.map((path) => dirname(path))])) {
    const made = files.makeDirectory(parent);
    if (!made.ok) return made;
  }
  for (const { path, bytes } of prompts) {
    const written = files.create(join(directory, path), bytes);
    if (!written.ok) return written;
  }
  return ok(undefined);
}

interface Wanted {
  readonly isPrompt: (name: string) => boolean;
  readonly bytesMax: number;
}

function readAll(
  files: World["host"]["files"],
  directory: string,
  { isPrompt, bytesMax }: Wanted,
): Result<readonly { readonly name: string; readonly bytes: Uint8Array }[], FileFailure> {
  const names = files.list(directory);
  if (!names.ok) return names;
  const found: { name: string; bytes: Uint8Array }[] = [];
  for (const name of names.value.filter(isPrompt)) {
    const bytes = files.read(join(directory, name), bytesMax);
    if (!bytes.ok) return bytes;
    if (bytes.value !== undefined) found.push({ name, bytes: bytes.value });
  }
  return ok(found);
}
