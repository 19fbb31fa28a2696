// @ts-check
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { takeScreen } from "./take-screen.js";

/*
 * Takes the README's pictures anew: a session of `wisp demo`, its report, and the report in Chromium, light and dark,
 * as docs/img/report-<scheme>.png; then a second session of the same request while it runs, on the page of
 * `wisp watch --web`, as docs/img/watch-web.png; and the screen of another demo, as docs/img/screen.png. It needs the
 * build, Chromium, tmux, and script(1) for a terminal.
 */

const ROOT = join(import.meta.dirname, "..");
const PICTURES = join(ROOT, "docs", "img");
const WISP = join(ROOT, "dist", "wisp.js");
/** Down to the list of findings. */
const VIEWPORT = { width: 1000, height: 790 };
const LIVE_VIEWPORT = { width: 1200, height: 760 };

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

/**
 * The link of a `wisp watch --web`, and what ends it.
 *
 * @param {string} cwd
 */
async function watchWeb(cwd) {
  const line = `exec '${process.execPath}' '${WISP}' watch --web`;
  const child = spawn("script", ["-qefc", line, "/dev/null"], { cwd, stdio: "pipe" });
  let shown = "";
  const link = await new Promise((resolve, reject) => {
    child.stdout.setEncoding("utf8").on("data", (text) => {
      shown += text;
      const [link] = /http:\S+(?=\s)/u.exec(shown) ?? [];
      if (link !== undefined) resolve(link);
    });
    child.once("close", () => reject(new Error(`wisp watch --web: ${shown}`)));
  });
  return { link, child };
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
  const project = join(folder, "demo", "project");
  const { link, child } = await watchWeb(project);
  const live = await browser.newPage({ colorScheme: "light", viewport: LIVE_VIEWPORT });
  await live.goto(link);
  const branch = "wisp/hours-and-minutes";
  wisp(project, "start", "request.md", "--branch", branch, "--detach", "--yes");
  await live.locator("#sessions button", { hasText: "hours-and-minutes" }).click();
  await live.locator("#report h1", { hasText: "hours-and-minutes" }).waitFor();
  await live.locator("#milestones tr", { hasText: "done" }).first().waitFor();
  await live.locator(".lane.builder rect.open").waitFor();
  await live.mouse.move(0, 0);
  await live.evaluate("document.activeElement.blur()");
  await live.screenshot({ path: join(PICTURES, "watch-web.png") });
  wisp(project, "up", "hours-and-minutes", "--plain");
  await takeScreen(browser, { wisp: WISP, folder, path: join(PICTURES, "screen.png") });
  await browser.close();
  child.stdin.write("\u0003");
  await once(child, "close");
} finally {
  rmSync(folder, { recursive: true, force: true });
}
