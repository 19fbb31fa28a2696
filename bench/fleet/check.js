// @ts-check
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** @typedef {import("./make-fleet.js").Fleet} Fleet */

/** A mirror that still differs has so many looks, with so much time between them, to become the same. */
const LOOKS_MAX = 60;
const LOOK_MS = 500;

/**
 * Whether a session is complete by its files here.
 * @param {Fleet} fleet
 * @param {string} id
 */
export function isComplete({ repository }, id) {
  const path = join(repository, ".wisp/sessions", id, "logs/builder.done");
  return existsSync(path) && readFileSync(path, "utf8").includes("complete|");
}

/**
 * What of the sessions is not the same here as where they ran, in words.
 * @param {Fleet} fleet
 */
export async function whatDiffers(fleet) {
  const wrong = [];
  for (const id of fleet.sessions) {
    let why = differs(fleet, id);
    for (let looks = 1; why !== undefined && looks < LOOKS_MAX; looks++) {
      await sleep(LOOK_MS);
      why = differs(fleet, id);
    }
    if (why !== undefined) wrong.push(`${id}: ${why}`);
  }
  return wrong;
}

/**
 * @param {Fleet} fleet
 * @param {string} id
 */
function differs({ repository }, id) {
  const home = join(repository, ".wisp/sessions", id);
  if (!existsSync(join(home, "place.json"))) return "it was not started";
  const { mirrors } = JSON.parse(readFileSync(join(home, "place.json"), "utf8"));
  const there = join(mirrors.root, "repository");
  const far = join(there, ".wisp/sessions", id);
  const names = new Set([...filesIn(home), ...filesIn(far)]);
  const other = [...names].find((name) => bytesOf(join(home, name)) !== bytesOf(join(far, name)));
  if (other !== undefined) return `${other} differs`;
  const branch = `wisp/${id}`;
  if (git(repository, "rev-parse", branch) !== git(there, "rev-parse", branch)) {
    return "its branch differs";
  }
  const built = git(repository, "log", "--format=%s", branch).match(/^Build /gmu) ?? [];
  return built.length === 6 ? undefined : `its branch has ${built.length} commits of 6`;
}

/** @param {string} directory */
function filesIn(directory) {
  return readdirSync(directory, { recursive: true, encoding: "utf8" }).filter(
    (name) =>
      name !== "place.json" &&
      !/(^|\/)locks(\/|$)/u.test(name) &&
      statSync(join(directory, name)).isFile(),
  );
}

/** @param {string} path */
function bytesOf(path) {
  return existsSync(path) ? readFileSync(path, "latin1") : undefined;
}

/**
 * @param {string} cwd
 * @param {string[]} words
 */
function git(cwd, ...words) {
  return execFileSync("git", words, { cwd, encoding: "utf8" });
}
