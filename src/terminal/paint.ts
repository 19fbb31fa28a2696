import pc from "picocolors";
import type { Tone } from "../base/words/sentence.ts";
import type { Paint, Speaker } from "../views/rows/paint.ts";

/** Makes the colours; without them every text stays as it is. */
export function createPaint(hasColors: boolean): Paint {
  const colors = pc.createColors(hasColors);
  const tones: Readonly<Record<Tone, (text: string) => string>> = {
    good: colors.green,
    bad: colors.red,
    ask: (text) => colors.bold(colors.yellow(text)),
    plain: (text) => text,
    faint: colors.dim,
  };
  const speakers: Readonly<Record<Speaker, (text: string) => string>> = {
    planner: colors.magenta,
    builder: colors.cyan,
    reviewer: colors.yellow,
    tester: colors.blue,
    wisp: colors.dim,
    you: colors.bold,
  };
  return {
    tone: (tone, text) => tones[tone](text),
    speaker: (speaker, text) => speakers[speaker](text),
    strong: colors.bold,
    faint: colors.dim,
  };
}
