// @ts-check
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

/*
 * Takes the README's pictures anew: a session of `wisp demo`, its report, and the report in Chromium, light and dark,
 * as docs/img/report-<scheme>.png. It needs the build, and Chromium.
 */

const ROOT = join(import.meta.dirname, "..");
const PICTURES = join(ROOT, "docs", "img");
const WISP = join(ROOT, "dist", "wisp.js");
/** Down to the list of findings. */
const VIEWPORT = { width: 1000, height: 790 };

/**
 * @param {string} cwd
 * @param {...string} words
 */
function wisp(cwd, ...words) {
  const { status, stderr } = spawnSync(process.execPath, [WISP, ...words], {
    cwd,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`wisp ${words.join(" ")}: ${stderr}`);
}

const found = spawnSync("sh", ["-c", "command -v chromium"], { encoding: "utf8" }).stdout.trim();
if (found === "") throw new Error("Chromium is missing: install it, then take the pictures again.");
const folder = mkdtempSync(join(tmpdir(), "wisp-pictures-"));
try {
  const page = join(folder, "report.html");
  wisp(folder, "demo", "--dir", join(folder, "demo"));
  wisp(join(folder, "demo", "project"), "report", "--html", page);
  mkdirSync(PICTURES, { recursive: true });
  const browser = await chromium.launch({ executablePath: found, args: ["--no-sandbox"] });
  for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
    const shown = await browser.newPage({ colorScheme, viewport: VIEWPORT });
    await shown.goto(pathToFileURL(page).href);
    await shown.screenshot({ path: join(PICTURES, `report-${colorScheme}.png`) });
  }
  await browser.close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
