import { cleanText } from "../../base/words/clean-text.ts";
import { type UserContext, userGit } from "./git.ts";

/** The git on PATH. */
export type GitVersion =
  | { readonly kind: "missing" }
  /** `version` as git reports it, such as `2.39.5`. */
  | { readonly kind: "found"; readonly version: string; readonly isEnough: boolean };

/**
 * 2.29 introduced `fetch --no-write-fetch-head` and `--no-auto-maintenance`; 2.30, `rev-parse
 * --end-of-options`.
 */
export const GIT_VERSION_MIN = "2.30";

/** Finds the version of git on PATH. */
export async function gitVersion(context: UserContext, directory: string): Promise<GitVersion> {
  const git = userGit(context, directory);
  const printed = await git.must(["--version"]);
  if (!printed.ok) return { kind: "missing" };
  const [, version = ""] = /^git version (\S+)/.exec(printed.value) ?? [];
  const shown = cleanText(version, { charsMax: 50, lines: "one" });
  return { kind: "found", version: shown, isEnough: isAtLeast(version, GIT_VERSION_MIN) };
}

/**
 * Whether a version is at least `least`, compared number by number; a missing number counts as 0.
 */
export function isAtLeast(version: string, least: string): boolean {
  const numbers = version.split(/[^0-9]+/).map(Number);
  for (const [index, wanted] of least.split(".").map(Number).entries()) {
    const number = numbers[index] ?? 0;
    if (number !== wanted) return number > wanted;
  }
  return true;
}
