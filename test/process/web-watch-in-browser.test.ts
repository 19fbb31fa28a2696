import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { brightness, contrast, textColours } from "../rig/colours.ts";
import { CHROMIUM, openAddress, openFile, startChromium, widestOf } from "../rig/browser.ts";
import { eventually } from "../rig/patience.ts";
import { processSession, type ProcessSession } from "../rig/process-session.ts";
import { tmuxTerminal } from "../rig/tmux-terminal.ts";
import { startWebWatch, type WebWatch } from "../rig/web-watch.ts";

/*
 * The page of `wisp watch --web` in a browser: a session runs while it is shown, another one is at rest.
 */

const ID = "task";
const OTHER = "other";
const WHY = CHROMIUM === undefined ? " (skipped: Chromium is not installed)" : "";
const HOSTILE = `</script><img src=x onerror="alert(1)"><script>alert(2)</script><b>&`;
const PHONE = { viewport: { width: 360, height: 740 } } as const;
/** Of text and its background, as WCAG 2.2 asks of normal text. */
const CONTRAST_MIN = 4.5;

/** The builder waits until it is let go on; its milestone has a hostile name. */
const SCENARIO = String.raw`
  plan: (t) => t.plan("## Milestone: One ${HOSTILE.replaceAll('"', "'")}\n\n- [ ] Say hello\n"),
  async build(t) {
    await t.until(() => t.has(process.env.HOME + "/go"));
    t.put("hello.txt", "hello\n");
    t.commit("Say hello");
    t.tick();
  },
`;

describe.skipIf(CHROMIUM === undefined)(`in Chromium${WHY}`, () => {
  let browser: Browser;
  let session: ProcessSession;
  let web: WebWatch;

  beforeAll(async () => {
    session = processSession({ scenario: SCENARIO });
    browser = await startChromium();
    for (const id of [OTHER, ID]) {
      const words = ["start", "request.md", "--branch", `wisp/${id}`, "--no-up", "--yes"];
      expect(await session.wisp(...words)).toMatchObject({ code: 0 });
    }
  });
  afterAll(async () => {
    await browser.close();
    await session[Symbol.asyncDispose]();
  });
  beforeEach(async () => {
    web = await startWebWatch(session);
  });
  afterEach(() => web[Symbol.asyncDispose]());

  /** Opens the link, and waits until the page shows the session and the list. */
  const open = async (options = {}) => {
    const opened = await openAddress(browser, web.link, options);
    await opened.page.locator("#report h1").waitFor();
    await opened.page.locator("#sessions button").first().waitFor();
    return opened;
  };

  const recordCrash = (reason: string, id = ID) => {
    const line = `${new Date().toISOString()} role.exit role=builder code=1 reason=${reason}\n`;
    appendFileSync(join(session.home(id), "logs", "supervisor.log"), line);
  };

  const shows = (page: Page, text: string, place = "#report") =>
    page.locator(place, { hasText: text }).first().waitFor();

  test("the link is gone from the address; the browser that used it needs it for no further page", async () => {
    const context = await browser.newContext();
    for (const address of [web.link, `http://${web.host}/`, web.link]) {
      const page = await context.newPage();
      await page.goto(address);
      await page.locator("#report h1").waitFor();
      expect(page.url()).toBe(`http://${web.host}/`);
      await page.reload();
      await page.locator("#report h1").waitFor();
      expect(await page.locator("#live-state").textContent()).toBe("Live");
    }
    await context.close();
  });

  test("in another browser the used link shows nothing, and the page says why", async () => {
    const { page } = await open();
    const other = await openAddress(browser, web.link);
    await shows(other.page, "This link was used already", "#live-state");
    expect(await other.page.locator("#report").innerText()).toBe("");
    expect(await other.page.locator("#sessions").innerText()).toBe("");
    await other.page.close();
    await page.close();
  });

  test("a change is shown without loading the page again, and what a reader did stays", async () => {
    const { page, said } = await open({ viewport: { width: 1_000, height: 300 } });
    for (let at = 0; at < 20; at += 1) recordCrash(`crash-${String(at)}`);
    await shows(page, "crash-19");
    await page.evaluate("document.body.dataset.mine = 'yes'");
    await page.locator(".chart-scroll").focus();
    await page.keyboard.press("+");
    await page.evaluate("scrollTo(0, 250)");
    await page.evaluate("document.querySelector('#trouble li').isMine = true");
    recordCrash("the-last-crash");
    await shows(page, "the-last-crash");
    expect(await page.evaluate("document.body.dataset.mine")).toBe("yes");
    expect(await page.evaluate("document.activeElement.className")).toBe("chart-scroll");
    expect(await page.locator("#chart").getAttribute("width")).toBe("200%");
    expect(await page.evaluate<number>("scrollY")).toBeGreaterThan(200);
    expect(await page.evaluate("document.querySelector('#trouble li').isMine")).toBe(true);
    expect(said).toEqual([]);
    await page.close();
  });

  test("sessions are chosen by click and by key, and the chosen one stays, also after loading again", async () => {
    const { page, said } = await open();
    const names = page.locator("#sessions .name");
    expect(await names.allInnerTexts()).toEqual([ID, OTHER]);
    const current = page.locator("#sessions [aria-current=true] .name");
    expect(await current.innerText()).toBe(ID);
    await page.locator("#sessions button", { hasText: OTHER }).click();
    await shows(page, OTHER, "#report h1");
    expect(await current.innerText()).toBe(OTHER);
    recordCrash("crash-of-another");
    recordCrash("crash-of-this", OTHER);
    await shows(page, "crash-of-this");
    expect(await page.locator("#report").innerText()).not.toContain("crash-of-another");
    await page.reload();
    await shows(page, OTHER, "#report h1");
    // The list comes after the report.
    await shows(page, ID, "#sessions button");
    await page.keyboard.press("p");
    await shows(page, ID, "#report h1");
    await page.keyboard.press("n");
    await shows(page, OTHER, "#report h1");
    await page.locator("#sessions button").first().focus();
    await page.keyboard.press("Enter");
    await shows(page, ID, "#report h1");
    expect(await page.evaluate("document.activeElement.dataset.session")).toBe(ID);
    expect(said).toEqual([]);
    await page.close();
  });

  test("a session that is created is listed, and a page that shows another one stays with it", async () => {
    const { page } = await open();
    const words = ["start", "request.md", "--branch", "wisp/later", "--no-up", "--yes"];
    expect(await session.wisp(...words)).toMatchObject({ code: 0 });
    await shows(page, "later", "#sessions");
    expect(await page.locator("#report h1").innerText()).toBe(ID);
    expect(await session.wisp("abandon", "later", "--yes")).toMatchObject({ code: 0 });
    await shows(page, "TEARDOWN", "#sessions");
    await page.close();
  });

  test.each(["light", "dark"] as const)(
    "all text can be read if the system is %s",
    async (colorScheme) => {
      const { page } = await open({ colorScheme });
      const background = await page.evaluate<string>(
        "getComputedStyle(document.body).backgroundColor",
      );
      expect(brightness(background) > 0.5).toBe(colorScheme === "light");
      const seen = await textColours(page);
      expect(seen.filter(({ text, behind }) => contrast(text, behind) < CONTRAST_MIN)).toEqual([]);
      await page.close();
    },
  );

  test("on a phone nothing is wider than the screen", async () => {
    const { page } = await open(PHONE);
    expect(await widestOf(page)).toBeLessThanOrEqual(PHONE.viewport.width);
    expect(await page.locator("#sessions button").first().isVisible()).toBe(true);
    await page.close();
  });

  test("a session is shown while it runs, to its end; its names stay text", async () => {
    const { page, said } = await open();
    await page.evaluate("document.body.dataset.mine = 'yes'");
    const ended = session.wisp("up", ID);
    await shows(page, "RUNNING", "#sessions");
    await page.locator(".lane.builder rect.open").waitFor();
    expect(await page.locator("#milestones td.strong").innerText()).toContain("<script>alert(2)");
    session.write("../empty-home/go", "");
    expect(await ended).toMatchObject({ code: 0 });
    await shows(page, "DONE", "#report .headline");
    await shows(page, "DONE", "#sessions");
    expect(await page.title()).toBe(`${ID}: DONE (complete, nothing was verified)`);
    const foreign = page.locator("img, b, iframe, object, a, main script, nav script");
    expect(await foreign.count()).toBe(0);
    expect(await page.evaluate("document.body.dataset.mine")).toBe("yes");
    const path = join(session.root, "report.html");
    expect(await session.wisp("report", ID, "--html", path)).toMatchObject({ code: 0 });
    const written = await openFile(browser, path);
    const [live, whole] = [page.locator("#report"), written.page.locator("main")];
    await eventually(async () => {
      expect(contentOf(await live.innerHTML())).toBe(contentOf(await whole.innerHTML()));
    });
    expect(said).toEqual([]);
    await written.page.close();
    await page.close();
  });

  test("when wisp watch is stopped without its connections, the page says that it does not answer", async () => {
    // A shell with job control: script(1) does not outlast the stop of its command.
    await using terminal = tmuxTerminal(session, { columns: 120, rows: 24 });
    terminal.run("wisp watch --web");
    await terminal.shows("Ctrl-C ends it.");
    const [link = ""] = /http:\/\/127\S+/u.exec(terminal.rows().join("\n")) ?? [];
    const pid = Number(readFileSync(join(session.root, "wisp.pid"), "utf8"));
    const page = await browser.newPage();
    await page.clock.install();
    await page.goto(link);
    await page.locator("#report h1").waitFor();
    process.kill(pid, "SIGSTOP");
    await terminal.shows("[1] + Stopped");
    await page.clock.fastForward(60_000);
    await shows(page, "does not answer", "#live-state");
    expect(await page.locator("#live-age").innerText()).toMatch(/, 1 min ago$/u);
    terminal.run("fg");
    recordCrash("after-the-silence");
    await shows(page, "after-the-silence");
    expect(await page.locator("#live-state").innerText()).toBe("Live");
    await page.close();
  });

  test("when wisp watch is killed, the page says so, and of when what it still shows is", async () => {
    const { page } = await open();
    process.kill(web.pid, "SIGKILL");
    await web.ended;
    await shows(page, "The connection is lost", "#live-state");
    await shows(page, "has ended, or cannot be reached", "#live-state");
    expect(await page.locator("#live-age").innerText()).toMatch(
      /^what you see is of \d.*, \d+ s ago$/u,
    );
    expect(await page.locator("#report h1").innerText()).toBe(ID);
    await page.close();
  });

  test("when it is stopped, the page says so and asks for nothing more", async () => {
    const { page, requested } = await open();
    process.kill(web.pid, "SIGTERM");
    await shows(page, "wisp watch was stopped", "#live-state");
    const before = requested.length;
    expect(await page.locator("#report h1").innerText()).toBe(ID);
    await page.locator("#sessions button").last().click();
    expect(requested.length).toBe(before);
    await page.close();
  });
});

/** What a page tells, without the moment at which it was made; an element that changed has its attributes in another order. */
function contentOf(html: string): string {
  return html.replace(/<footer.*/su, "").replace(/(?: [\w-]+="[^"]*")+/gu, (attributes) => {
    const each = attributes.match(/ [\w-]+="[^"]*"/gu) ?? [];
    return each.sort().join("");
  });
}
