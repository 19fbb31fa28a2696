import { need } from "../../base/fatal.ts";
import { dirname, join } from "node:path";
import { CONFIG_CHARS_MAX, DOCUMENT_BYTES_MAX } from "../../base/limits.ts";
import type { SessionJson } from "../../fs-protocol/home/session-json.ts";
import type { World } from "../../workspace/world.ts";
import { reviewerDirectories, shippedTemplates } from "../settings/reviewer-directories.ts";

/** A file with instructions for roles. */
export interface PromptFile {
  /**
   * Relative to `.wisp/`, and to where it is frozen: `templates/build.md`, `reviewers/security.md`.
   */
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** Directories of prompts, each list in order of preference. */
export interface PromptDirectories {
  readonly templates: readonly string[];
  readonly reviewers: readonly string[];
}

/** Where a session keeps the templates and reviewers that it began with: outside the checkout. */
export function frozenPrompts(state: string): string {
  return join(state, "prompts");
}

/**
 * The directories of a session's templates and reviewers: the frozen ones or, for a session created
 * before they were frozen, those of the checkout; then the shipped ones.
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

/** The templates and reviewers of a checkout, committed or not. */
export function readPrompts(
  { host: { files }, entry }: Pick<World, "host" | "entry">,
  repository: string,
): readonly PromptFile[] {
  const wisp = join(repository, ".wisp");
  // A name that belongs to no purpose is not a template.
  const known = need(files.list(shippedTemplates({ entry })));
  const templates = readAll(files, join(wisp, "templates"), {
    isPrompt: (name) => name.endsWith(".md") && known.includes(name),
    bytesMax: DOCUMENT_BYTES_MAX,
  });
  const [own] = reviewerDirectories({ entry }, repository);
  const reviewers = readAll(files, own, {
    isPrompt: (name) => /^[^.].*\.md$/.test(name),
    bytesMax: CONFIG_CHARS_MAX,
  });
  return [
    ...templates.map(({ name, bytes }) => ({ path: join("templates", name), bytes })),
    ...reviewers.map(({ name, bytes }) => ({ path: join("reviewers", name), bytes })),
  ];
}

/** Writes them to where a session keeps them, replacing what a killed process left there. */
export function freezePrompts(
  { files, directories }: World["host"],
  state: string,
  prompts: readonly PromptFile[],
): void {
  const directory = frozenPrompts(state);
  directories.removeTree(directory);
  const paths = prompts.map(({ path }) => join(directory, path));
  for (const parent of new Set([directory, ...paths.map((path) => dirname(path))])) {
    need(files.makeDirectory(parent));
  }
  for (const { path, bytes } of prompts) {
    need(files.create(join(directory, path), bytes));
  }
}

interface Wanted {
  readonly isPrompt: (name: string) => boolean;
  readonly bytesMax: number;
}

function readAll(
  files: World["host"]["files"],
  directory: string,
  { isPrompt, bytesMax }: Wanted,
): readonly { readonly name: string; readonly bytes: Uint8Array }[] {
  const names = need(files.list(directory));
  const found: { name: string; bytes: Uint8Array }[] = [];
  for (const name of names.filter(isPrompt)) {
    const bytes = need(files.read(join(directory, name), bytesMax));
    if (bytes !== undefined) found.push({ name, bytes });
  }
  return found;
}
