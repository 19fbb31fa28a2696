import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { attempt } from "../system/errno.ts";
import { symlinkSync, unlinkSync } from "../system/effects.ts";

/** A file that must not be readable, and a word that it contains. */
export interface SecretCanary {
  readonly path: string;
  readonly word: string;
}

/** A word that could be read, and the way in which it was. */
export interface Sighting {
  readonly word: string;
  readonly way: "path" | "link" | "proc" | "environment" | "git";
}

/** All words that could be read, and the `paths` in which something was visible. */
export interface SecretSightings {
  readonly sightings: readonly Sighting[];
  readonly visible: readonly string[];
}

/**
 * Tries to read each canary in every way that an engine could, and reports the successes. Runs inside a sandbox
 * that should hide them all. `paths` are only checked for visible content.
 */
export function lookForSecrets(
  canaries: readonly SecretCanary[],
  paths: readonly string[],
): SecretSightings {
  const environments = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => textOf(`/proc/${pid}/environ`));
  const sightings = canaries.flatMap((canary) => [
    ...seen(canary, "path", [textOf(canary.path)]),
    ...seen(canary, "link", [throughLink(canary.path)]),
    ...seen(canary, "proc", throughProc(canary.path)),
    ...seen(canary, "environment", environments),
    ...seen(canary, "git", throughGit(canary.path)),
  ]);
  return { sightings, visible: paths.filter(hasSomething) };
}

function seen(
  { word }: SecretCanary,
  way: Sighting["way"],
  texts: readonly string[],
): readonly Sighting[] {
  return texts.some((text) => text.includes(word)) ? [{ word, way }] : [];
}

function textOf(path: string): string {
  const read = attempt(() => readFileSync(path, "utf8"));
  return read.ok ? read.value : "";
}

function throughLink(path: string): string {
  const link = "probe-link";
  const made = attempt(() => symlinkSync(path, link));
  if (!made.ok) return "";
  const text = textOf(link);
  attempt(() => unlinkSync(link));
  return text;
}

function throughProc(path: string): readonly string[] {
  const pids = readdirSync("/proc").filter((name) => /^(?:\d+|self)$/.test(name));
  return pids.map((pid) => textOf(`/proc/${pid}/root${path}`));
}

/** git prints what it reads, including the lines that it cannot parse. */
function throughGit(path: string): readonly string[] {
  const words = [
    ["config", "--file", path, "--list"],
    ["-c", `include.path=${path}`, "config", "--list"],
    ["config", "--list", "--show-origin"],
  ];
  return words.map((args) => {
    const { stdout, stderr } = spawnSync("git", args, { encoding: "utf8" });
    return `${stdout}${stderr}`;
  });
}

/** Whether the path is a directory with entries or a readable file with content. The content is discarded. */
function hasSomething(path: string): boolean {
  const found = attempt(() => {
    if (statSync(path).isDirectory()) return readdirSync(path).length > 0;
    return readFileSync(path).length > 0;
  });
  return found.ok && found.value;
}
