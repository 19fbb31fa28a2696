import { pathToFileURL } from "node:url";
import { chromium, type Browser, type BrowserContextOptions, type Page } from "playwright-core";
import { findExecutable } from "../../src/host/processes/find-executable.ts";
import { ownEnvironment } from "./own-environment.ts";

/** Absolute path of this system's Chromium, or undefined if there is none. */
export const CHROMIUM = findExecutable("chromium", {
  cwd: "/",
  env: ownEnvironment(),
});

/** A file that is shown in the browser, and what it did there that a file of its own may not do. */
export interface OpenedPage {
  readonly page: Page;
  /** What the page, or the browser about it, wrote to the console; and errors of its script. */
  readonly said: readonly string[];
  /** The addresses of everything that was asked for, other than the file itself. */
  readonly requested: readonly string[];
}

/** Starts Chromium without a window. It is the caller's to close. */
export function startChromium(): Promise<Browser> {
  // Its own sandbox does not work for root, who runs the tests in a container.
  const args = ["--no-sandbox", "--disable-dev-shm-usage"];
  return chromium.launch({ ...(CHROMIUM && { executablePath: CHROMIUM }), args });
}

/** Opens a file in a context of its own. */
export function openFile(
  browser: Browser,
  path: string,
  options: BrowserContextOptions = {},
): Promise<OpenedPage> {
  return openAddress(browser, pathToFileURL(path).href, options);
}

/** Opens an address in a context of its own. */
export async function openAddress(
  browser: Browser,
  address: string,
  options: BrowserContextOptions = {},
): Promise<OpenedPage> {
  const page = await browser.newPage(options);
  const said: string[] = [];
  const requested: string[] = [];
  page.on("console", (message) => said.push(message.text()));
  page.on("pageerror", (error) => said.push(error.message));
  page.on("request", (request) => {
    if (request.url() !== address) requested.push(request.url());
  });
  await page.goto(address);
  return { page, said, requested };
}

/** How far a page reaches to the right, in pixels: more than the screen's width means that it scrolls sideways. */
export function widestOf(page: Page): Promise<number> {
  return page.evaluate<number>("document.documentElement.scrollWidth");
}
