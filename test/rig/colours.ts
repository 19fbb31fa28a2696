import type { Page } from "playwright-core";
import { z } from "zod";

/** The colours of a page's text, and of what is behind it, as `rgb(1, 2, 3)`. */
const Coloured = z.object({ words: z.string(), text: z.string(), behind: z.string() });
type Coloured = z.infer<typeof Coloured>;

/** Runs in the page: each element with text of its own, unless its text is not shown. */
const LOOK = `
  [...document.querySelectorAll("main *")].flatMap((element) => {
    const words = [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE)
      .map((node) => node.data.trim()).join("");
    if (words === "" || element.getClientRects().length === 0) return [];
    const { color, fill } = getComputedStyle(element);
    let around = element;
    const isClear = () => getComputedStyle(around).backgroundColor === "rgba(0, 0, 0, 0)";
    while (isClear() && around !== document.documentElement) around = around.parentElement;
    const behind = getComputedStyle(around).backgroundColor;
    return [{ words, text: element.localName === "text" ? fill : color, behind }];
  })
`;

/** What text a page shows, in which colours. */
export async function textColours(page: Page): Promise<readonly Coloured[]> {
  return z.array(Coloured).parse(await page.evaluate(LOOK));
}

/** How light a colour `rgb(1, 2, 3)` is, from 0 to 1, as WCAG 2.2 defines its relative luminance. */
export function brightness(colour: string): number {
  const [red = NaN, green = NaN, blue = NaN] = (colour.match(/\d+/gu) ?? []).map((part) => {
    const share = Number(part) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The contrast of two colours, from 1 to 21, as WCAG 2.2 defines it. */
export function contrast(one: string, other: string): number {
  const [low = NaN, high = NaN] = [brightness(one), brightness(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}
