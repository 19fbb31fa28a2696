import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, BrowserContextOptions } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { ROLES } from "../../src/base/role.ts";
import { reportPage } from "../../src/views/report/page/report-page.ts";
import type { ReportView } from "../../src/views/report/report-view.ts";
import { brightness, contrast, textColours } from "../rig/colours.ts";
import { CHROMIUM, openFile, startChromium, widestOf } from "../rig/browser.ts";
import type { ProcessSession } from "../rig/process-session.ts";
import { needsWork, on, oneTask, put, replaySession } from "../rig/replay-session.ts";
import { failedTurns, writtenReport } from "../rig/written-report.ts";

/*
 * The report's page, as a browser shows it: that of a real session, and of views with what is hard to show.
 */

const ID = "task";
const WHY = CHROMIUM === undefined ? " (skipped: Chromium is not installed)" : "";
const HOSTILE = `</title></script><img src=x onerror="alert(1)"><script>alert(2)</script><b>&`;
/** So many that the table is searched. */
const NAMES = ["Alpha", "Beta", "Gamma", "Delta", "Epsilon", "Zeta", "Eta", "Theta", "Iota"];
const LONG = "a-name-without-a-place-to-break-it".repeat(8);
const PHONE = { viewport: { width: 360, height: 740 } } as const;
/** Of text and its background, as WCAG 2.2 asks of normal text. */
const CONTRAST_MIN = 4.5;

const Report = z.object({
  timeline: z.object({ spans: z.array(z.object({ kind: z.string(), lane: z.enum(ROLES) })) }),
});

/** A session with a finding and its fix. */
const TURNS = [
  ...oneTask("Say hello", put("hello.txt", "hello\n")),
  on(
    { purpose: "review-milestone" },
    { print: needsWork({ file: "hello.txt", brief: "It is cold" }) },
  ),
  on({ purpose: "fix" }, put("hello.txt", "hello, friend\n"), { commit: "Greet warmly" }),
];

describe.skipIf(CHROMIUM === undefined)(`in Chromium${WHY}`, () => {
  let browser: Browser;
  let session: ProcessSession;
  let folder: string;
  let sessionPage: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "wisp-pages-"));
    sessionPage = join(folder, "report.html");
    session = replaySession({ turns: TURNS });
    const started = await session.wisp("start", "request.md", "--branch", `wisp/${ID}`, "--yes");
    expect(started).toMatchObject({ code: 0 });
    expect(await session.wisp("report", ID, "--html", sessionPage)).toMatchObject({ code: 0 });
    browser = await startChromium();
  });
  afterAll(async () => {
    await browser.close();
    await session[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });

  /** The page of a view, in a file of its own. */
  const open = (view: ReportView, options?: BrowserContextOptions) => {
    const path = join(folder, "view.html");
    writeFileSync(path, reportPage(view));
    return openFile(browser, path, options);
  };

  test("the page of a session shows each turn in its role's lane, and asks for nothing", async () => {
    const opened = await openFile(browser, sessionPage);
    const { stdout } = await session.wisp("report", ID, "--json");
    const { spans } = Report.parse(JSON.parse(stdout)).timeline;
    const turns = spans.filter(({ kind }) => kind === "turn");
    expect(await opened.page.locator(".lane-name").allInnerTexts()).toEqual([
      "you",
      ...ROLES,
      "wisp",
    ]);
    for (const role of ROLES) {
      const bars = opened.page.locator(`.lane.${role} rect.turn`);
      const own = turns.filter(({ lane }) => lane === role).length;
      expect([role, await bars.count()]).toEqual([role, own]);
      for (const bar of await bars.all()) expect(await bar.isVisible()).toBe(true);
    }
    const chart = await opened.page.locator("#chart").boundingBox();
    for (const mark of await opened.page.locator(".mark").all()) {
      const { x = NaN, width = NaN } = (await mark.boundingBox()) ?? {};
      expect(x).toBeGreaterThanOrEqual(chart?.x ?? NaN);
      expect(x + width).toBeLessThanOrEqual((chart?.x ?? NaN) + (chart?.width ?? NaN));
    }
    const items = await opened.page.locator("#items tbody tr").allInnerTexts();
    expect(items).toEqual([expect.stringMatching(/It is cold[^]*fixed in [0-9a-f]{10}/u)]);
    expect(await opened.page.locator(".mark.commits").count()).toBe(2);
    expect(opened.said).toEqual([]);
    expect(opened.requested).toEqual([]);
    await opened.page.close();
  });

  test("the shortest turn of a month can be seen", async () => {
    const month = failedTurns(1, "why");
    const toMs = (month.fromMs ?? 0) + 30 * 24 * 3_600_000;
    const opened = await open(writtenReport(["One"], "Brief", { ...month, toMs }));
    const box = await opened.page.locator("rect.turn").boundingBox();
    expect(box?.width).toBeGreaterThan(0);
    await opened.page.close();
  });

  test("plus, minus and 0 zoom the timeline; a slash searches, and Escape ends that", async () => {
    const { page } = await open(writtenReport(NAMES, "Brief", failedTurns(2, "why")));
    const widthOf = async () => (await page.locator("#chart").boundingBox())?.width ?? NaN;
    const shown = page.locator("#milestones tbody tr:visible");
    const width = await widthOf();
    await page.keyboard.press("+");
    expect(await widthOf()).toBeCloseTo(2 * width, 0);
    await page.keyboard.press("+");
    await page.keyboard.press("-");
    expect(await widthOf()).toBeCloseTo(2 * width, 0);
    await page.keyboard.press("0");
    expect(await widthOf()).toBeCloseTo(width, 0);
    await page.keyboard.press("/");
    await page.keyboard.type("iota +");
    expect(await widthOf()).toBeCloseTo(width, 0);
    expect(await shown.count()).toBe(0);
    await page.keyboard.press("Backspace");
    expect(await shown.allInnerTexts()).toEqual([expect.stringContaining("Iota")]);
    await page.keyboard.press("Escape");
    expect(await shown.count()).toBe(NAMES.length);
    await page.close();
  });

  test("the timeline, the search fields and the details can be reached and used by keyboard", async () => {
    const { page } = await open(writtenReport(NAMES, "Brief", failedTurns(2, "why")));
    const reached = new Set<string>();
    const focused = "document.activeElement.className || document.activeElement.localName";
    for (let at = 0; at < 30; at += 1) {
      await page.keyboard.press("Tab");
      const name = await page.evaluate<string>(focused);
      if (name === "summary" && !reached.has(name)) {
        await page.keyboard.press("Enter");
        expect(await page.locator("details p").first().isVisible()).toBe(true);
      }
      reached.add(name);
    }
    expect([...reached]).toEqual(expect.arrayContaining(["chart-scroll", "filter", "summary"]));
    await page.close();
  });

  test.each(["light", "dark"] as const)(
    "all text can be read if the system is %s",
    async (colorScheme) => {
      const { page } = await openFile(browser, sessionPage, { colorScheme });
      const background = await page.evaluate<string>(
        "getComputedStyle(document.body).backgroundColor",
      );
      expect(brightness(background) > 0.5).toBe(colorScheme === "light");
      const seen = await textColours(page);
      expect(seen.length).toBeGreaterThan(20);
      expect(seen.filter(({ text, behind }) => contrast(text, behind) < CONTRAST_MIN)).toEqual([]);
      await page.close();
    },
  );

  test("on a phone nothing is wider than the screen, however long names are", async () => {
    for (const view of [
      writtenReport([LONG, HOSTILE], LONG, failedTurns(40, LONG)),
      {
        ...writtenReport(["One"], LONG),
        session: LONG,
        branch: LONG,
        meanwhile: [LONG],
        trouble: [LONG],
      },
    ]) {
      const { page } = await open(view, PHONE);
      expect(await widestOf(page)).toBeLessThanOrEqual(PHONE.viewport.width);
      await page.close();
    }
    const opened = await openFile(browser, sessionPage, PHONE);
    expect(await widestOf(opened.page)).toBeLessThanOrEqual(PHONE.viewport.width);
    await opened.page.close();
  });

  test("names, findings and reasons that look like HTML are shown as text, and run nothing", async () => {
    const view = writtenReport([HOSTILE], HOSTILE, failedTurns(1, HOSTILE));
    const meanwhile = [HOSTILE];
    const { page, said, requested } = await open({
      ...view,
      session: HOSTILE,
      branch: HOSTILE,
      meanwhile,
    });
    const foreign = page.locator(
      "img, b, iframe, object, a, main script, body > :not(main, script)",
    );
    expect(await foreign.count()).toBe(0);
    expect(await page.locator("script").count()).toBe(1);
    expect(await page.locator("h1").textContent()).toBe(HOSTILE);
    expect(await page.title()).toContain(HOSTILE);
    for (const place of [
      "#milestones td.strong",
      "#items summary, #items td:nth-child(3)",
      "#meanwhile li",
      "#divergences td >> nth=0",
    ]) {
      expect(await page.locator(place).first().textContent()).toContain(HOSTILE);
    }
    expect(await page.locator("rect.turn title").textContent()).toContain(HOSTILE);
    expect([said, requested]).toEqual([[], []]);
    await page.close();
  });

  test("a thousand milestones and four thousand turns are all there, and searched", async () => {
    const names = Array.from({ length: 1_000 }, (_, at) => `Milestone ${String(at)}.`);
    const { page, said } = await open(writtenReport(names, "Brief", failedTurns(4_000, "why")));
    expect(await page.locator("rect.turn").count()).toBe(4_000);
    expect(await page.locator("#milestones tbody tr:visible").count()).toBe(1_000);
    await page.keyboard.press("/");
    await page.keyboard.type("milestone 999.");
    expect(await page.locator("#milestones tbody tr:visible").count()).toBe(1);
    expect(said).toEqual([]);
    await page.close();
  });
});
