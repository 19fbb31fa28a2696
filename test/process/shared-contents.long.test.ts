import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";

const BENCH = join(import.meta.dirname, "../../bench/run.js");
const ON_SHARED_EXTENTS = join(import.meta.dirname, "../fixtures/on-shared-extents.sh");

const RUN_MS_MAX = 240_000;

/** Runs a program with a temporary folder on a file system of its own, on which contents can be shared. */
function onSharedExtents(...command: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), "wisp-extents-"));
  try {
    const args = ["--mount", "--", ON_SHARED_EXTENTS, folder, ...command];
    return spawnSync("unshare", args, { encoding: "utf8", timeout: RUN_MS_MAX });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const tried = onSharedExtents("true");
const WHY = tried.status === 0 ? "" : " (skipped: no file system can be made and mounted here)";

const results = z.object({
  rows: z.array(
    z.object({ metric: z.string(), wisp: z.array(z.number()), limit: z.array(z.number()) }),
  ),
});

describe.skipIf(WHY !== "")(`where files can share their contents${WHY}`, () => {
  test("all clones of a repository of 100 MB together take less than 40 MB beside it", () => {
    const out = mkdtempSync(join(tmpdir(), "wisp-figures-"));
    try {
      const json = join(out, "figures.json");
      const words = ["--only", "repository", "--points", "2", "--json", json];
      const ran = onSharedExtents(process.execPath, BENCH, ...words);
      expect(ran).toMatchObject({ status: 0 });
      const { rows } = results.parse(JSON.parse(readFileSync(json, "utf8")));
      const disk = rows.find(
        ({ metric }) => metric === "repository of 100 MB, contents shared: disk used beside it",
      );
      expect(disk?.limit[0]).toBeGreaterThan(95);
      expect(disk?.wisp[0]).toBeLessThan(40);
    } finally {
      rmSync(out, { recursive: true, force: true });
    }
  });
});
