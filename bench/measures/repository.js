// @ts-check
import { randomBytes } from "node:crypto";
import { constants, copyFileSync, statfsSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { wispOn } from "../contenders.js";
import { diskMb, diskOf } from "../disk.js";
import { nowMs } from "../proc.js";
import { asPoints } from "../row.js";
import { sum } from "../statistics.js";

/** Bytes of work tree and objects together, half and half: the contents cannot be compressed. */
const CURVE_MB = [10, 100, 1_000];
const CURVE_OF = { curve: "Larger and larger repositories", of: "MB" };
const FILE_MB = 0.5;
const WAIT_MS_MAX = 240_000;
const REST_LOOK_MS = 500;
const REST_MS_MAX = 20_000;
/** Logs grow by less. */
const REST_MB = 0.5;

/** @typedef {import("../place.js").Place} Place */
/** @typedef {import("../row.js").Context} Context */
/** @typedef {import("../row.js").Row} Row */

/**
 * Larger and larger repositories: what disk a session uses beside them while all roles have their clones, in the
 * final test. Files with several links count once, and so do contents that files share where the file system can.
 * @param {Context} context
 * @returns {Promise<readonly Row[]>}
 */
export async function repository({ workspace, pointsOf }) {
  /** @type {Row[]} */
  const rows = [];
  for (const sizeMb of pointsOf(CURVE_MB)) {
    process.stderr.write(`  ${sizeMb} MB\n`);
    const place = wispOn(1, 1, { BENCH_BLOCK: "final-test" }).place(workspace);
    rows.push(...asPoints(await rowsAt(place, sizeMb), { ...CURVE_OF, at: sizeMb }));
    place.remove();
  }
  return rows;
}

/**
 * @param {Place} place
 * @param {number} sizeMb
 * @returns {Promise<readonly Row[]>}
 */
async function rowsAt(place, sizeMb) {
  const isSharing = canShare(place);
  const emptyMb = isSharing ? usedMb(place, true) : 0;
  fill(place, sizeMb);
  const beforeMb = usedMb(place, isSharing);
  const { launchedMs } = place.startWisp("start", "request.md", "--detach");
  const isHere = () => place.turns().some(({ purpose }) => purpose === "final-test");
  const isReady = await place
    .until("the final test", isHere, WAIT_MS_MAX)
    .then(() => true)
    .catch(() => false);
  const addedMb = (await restingMb(place, isSharing)) - beforeMb;
  const parts = isSharing ? "what is not shared" : partsOf(place);
  const turns = place.turns();
  await place.killAll();
  const title = `repository of ${sizeMb} MB${isSharing ? ", contents shared" : ""}`;
  const givenUp = isReady ? {} : { note: `given up before the final test` };
  const time = /** @type {const} */ ({ ...givenUp, unit: "ms", limit: [], aim: "" });
  return [
    {
      ...givenUp,
      metric: `${title}: disk used beside it`,
      unit: "MB",
      wisp: [addedMb],
      limit: [beforeMb - emptyMb],
      limitName: "the repository",
      aim: isSharing ? "≤ 0.4 ×" : "≤ 1.6 ×",
      bound: `${addedMb.toFixed(0)} MB = ${parts}`,
    },
    {
      ...time,
      metric: `${title}: command → first engine`,
      wisp: [(turns[0]?.beganMs ?? NaN) - launchedMs],
    },
    {
      ...time,
      metric: `${title}: command → final test`,
      wisp: [(turns.at(-1)?.beganMs ?? NaN) - launchedMs],
    },
  ];
}

/**
 * @param {Place} place
 * @param {number} sizeMb
 */
function fill(place, sizeMb) {
  const files = Math.round(sizeMb / 2 / FILE_MB);
  for (let at = 0; at < files; at++) {
    place.write(`data/${at % 100}/${at}.bin`, randomBytes(FILE_MB * 1024 * 1024));
  }
  place.must("git", "add", "-A");
  place.must("git", "commit", "-qm", "Fill");
  place.must("git", "-c", "pack.compression=0", "repack", "-adq");
}

/**
 * What the folder of a place takes on the disk. Where files share their contents, only the file system knows: nobody
 * else may write to it meanwhile.
 * @param {Place} place
 * @param {boolean} isSharing
 */
function usedMb(place, isSharing) {
  if (isSharing) {
    place.must("sync", "-f", place.directory);
    const { blocks, bfree, bsize } = statfsSync(place.directory);
    return ((blocks - bfree) * bsize) / 1024 ** 2;
  }
  return diskMb(place.directory);
}

/**
 * The same once it no longer changes: a role that waits may still be removing its clone.
 * @param {Place} place
 * @param {boolean} isSharing
 */
async function restingMb(place, isSharing) {
  const untilMs = nowMs() + REST_MS_MAX;
  for (let before = NaN; ;) {
    const mb = usedMb(place, isSharing);
    if (Math.abs(mb - before) < REST_MB || nowMs() > untilMs) return mb;
    before = mb;
    await sleep(REST_LOOK_MS);
  }
}

/** Folders of a session below the state directory, and what they are called. */
const PARTS = /** @type {const} */ ([
  ["shared objects", /\/\.objects$/],
  ["planner's clone", /\/planner\/clone$/],
  ["builder's clone", /\/builder\/clone$/],
  ["reviewer's clone", /\/reviewer\/clone$/],
  ["tester's clone", /\/tester\/clone$/],
  ["verify trees", /\/verify$/],
]);

/**
 * Where the disk goes, in words: the same links and extents count as in the whole.
 * @param {Place} place
 */
function partsOf(place) {
  const folders = diskOf(place.directory);
  return PARTS.map(([name, pattern]) => {
    const mb = sum(folders.filter(({ path }) => pattern.test(path)).map((folder) => folder.mb));
    return `${name} ${mb.toFixed(0)}`;
  }).join(", ");
}

/**
 * Whether files can share their contents on the file system of a place.
 * @param {Place} place
 */
function canShare(place) {
  const [from, to] = ["from", "to"].map((name) => join(place.directory, `share-${name}`));
  if (from === undefined || to === undefined) return false;
  writeFileSync(from, randomBytes(8192));
  try {
    copyFileSync(from, to, constants.COPYFILE_FICLONE_FORCE);
    unlinkSync(to);
    return true;
  } catch {
    return false;
  } finally {
    unlinkSync(from);
  }
}
