// @ts-check
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/*
 * The picture of the screen: `wisp up` in tmux beside a session of `wisp demo`, captured with its colours at the moment
 * that has a finding to fix, and drawn in Chromium.
 */

const COLUMNS = 120;
const ROWS = 26;
/** What the screen shows at that moment. */
const MOMENT = /RUNNING \(fixing\)[\s\S]*Open[\s\S]*\? help/;
const LOOK_MS = 100;
const WAIT_MS_MAX = 120_000;

/**
 * @param {import("playwright-core").Browser} browser
 * @param {{ readonly wisp: string, readonly folder: string, readonly path: string }} options
 */
export async function takeScreen(browser, { wisp, folder, path }) {
  const html = pageOf(await captured(wisp, folder));
  const page = await browser.newPage({ deviceScaleFactor: 1.5 });
  await page.setContent(html);
  await page.locator("pre").screenshot({ path });
}

/**
 * The screen as tmux captures it, with its escape sequences for colours.
 *
 * @param {string} wisp
 * @param {string} folder
 */
async function captured(wisp, folder) {
  const demo = join(folder, "screen");
  const env = { ...process.env, HOME: join(folder, "home"), TMUX: "" };
  mkdirSync(env.HOME);
  const playing = spawn(process.execPath, [wisp, "demo", "--dir", demo], { env, stdio: "ignore" });
  const ended = new Promise((resolve) => playing.once("exit", resolve));
  const project = join(demo, "project");
  await until("the demo's session", () => existsSync(join(project, ".wisp", "current")));
  /** @param {readonly string[]} words */
  const tmux = (...words) =>
    execFileSync("tmux", ["-u", "-f", "/dev/null", "-S", join(folder, "tmux"), ...words], {
      cwd: project,
      env: { ...env, LANG: "C.UTF-8" },
      encoding: "utf8",
    });
  const size = ["-x", String(COLUMNS), "-y", String(ROWS)];
  tmux("new-session", "-d", ...size, process.execPath, wisp, "up");
  try {
    await until("that moment", () => MOMENT.test(tmux("capture-pane", "-p")));
    return tmux("capture-pane", "-p", "-e");
  } finally {
    tmux("kill-server");
    await ended;
  }
}

/**
 * @param {string} what
 * @param {() => boolean} fact
 */
async function until(what, fact) {
  for (let waitedMs = 0; !fact(); waitedMs += LOOK_MS) {
    if (waitedMs > WAIT_MS_MAX) throw new Error(`There was no sign of ${what}.`);
    await sleep(LOOK_MS);
  }
}

/** Colours of SGR 30 to 37 and 90 to 97, readable on the background of the page. */
const COLORS = [
  "#484f58",
  "#ff7b72",
  "#3fb950",
  "#d29922",
  "#58a6ff",
  "#bc8cff",
  "#39c5cf",
  "#c9d1d9",
];

/** @param {string} text */
function pageOf(text) {
  const style = `background:#0d1117;color:#c9d1d9;margin:0;padding:14px 16px;border-radius:8px;
    display:inline-block;font:14px/1.2 'DejaVu Sans Mono',monospace`;
  return `<body style="margin:0"><pre style="${style}">${spansOf(text.trimEnd())}</pre></body>`;
}

/** @param {string} text */
function spansOf(text) {
  let codes = /** @type {readonly number[]} */ ([]);
  return text
    .split(/(\u001B\[[\d;]*m)/u)
    .map((part) => {
      const sgr = /^\u001B\[([\d;]*)m$/u.exec(part);
      if (sgr === null) return `<span style="${styleOf(codes)}">${escaped(part)}</span>`;
      codes = (sgr[1] ?? "").split(";").map(Number).reduce(withCode, codes);
      return "";
    })
    .join("");
}

/**
 * @param {readonly number[]} codes
 * @param {number} code
 */
function withCode(codes, code) {
  if (code === 0) return [];
  if (code === 22) return codes.filter((one) => one !== 1 && one !== 2);
  if (code === 27) return codes.filter((one) => one !== 7);
  if (code === 39) return codes.filter((one) => one < 30);
  // The screen sets no background.
  if (code >= 38 && code < 90) return codes;
  return [...codes.filter((one) => code < 30 || one < 30), code];
}

/** @param {readonly number[]} codes */
function styleOf(codes) {
  const color = codes.find((code) => code >= 30);
  return [
    ...(codes.includes(1) ? ["font-weight:bold"] : []),
    ...(codes.includes(2) ? ["opacity:0.6"] : []),
    ...(codes.includes(7) ? ["background:#c9d1d9;color:#0d1117"] : []),
    ...(color === undefined ? [] : [`color:${COLORS[color % 10]}`]),
  ].join(";");
}

/** @param {string} text */
function escaped(text) {
  return text.replace(/[&<>]/gu, (one) => `&#${String(one.codePointAt(0))};`);
}
