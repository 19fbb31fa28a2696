import { render } from "ink-testing-library";
import { createElement } from "react";
import { expect, test } from "vitest";
import type { Key } from "../../src/tui/key.ts";
import { ScreenView } from "../../src/tui/open-screen.ts";
import { FIRST_STATE } from "../../src/tui/press-key.ts";
import { screenRows } from "../../src/tui/screen-rows.ts";
import { FACTS, textOf } from "./screen-of-facts.ts";
import { eventually } from "../rig/patience.ts";

const rows = screenRows(FACTS, FIRST_STATE, { columns: 80, rows: 23 });

test("draws the rows, without colours if there are none", () => {
  const view = createElement(ScreenView, { rows, hasColors: false, onKey: () => undefined });
  const { lastFrame, unmount } = render(view);
  const text = textOf(rows).map((row) => row.trimEnd());
  expect(
    lastFrame()
      ?.split("\n")
      .map((row) => row.trimEnd()),
  ).toEqual(text);
  unmount();
});

test("reports pressed keys, and a paste as one text", async () => {
  const keys: Key[] = [];
  const view = createElement(ScreenView, { rows, hasColors: true, onKey: (key) => keys.push(key) });
  const { stdin, unmount } = render(view);
  const presses = [
    "t",
    "\r",
    "\u001B[D",
    "\u001B[C",
    "\t",
    "\u007F",
    "\u0003",
    "\u0001",
    "\u001B[A",
    "\u001B[6~",
    "\u001B[F",
    "two words",
  ];
  for (const [index, press] of presses.entries()) {
    // Listening begins with the first drawing, which is not awaited.
    await eventually(() => {
      if (keys.length === index) stdin.write(press);
      expect(keys).toHaveLength(index + 1);
    });
  }
  expect(keys).toEqual([
    { kind: "text", text: "t" },
    { kind: "enter" },
    { kind: "left" },
    { kind: "right" },
    { kind: "tab" },
    { kind: "backspace" },
    { kind: "interrupt" },
    { kind: "home" },
    { kind: "up" },
    { kind: "page-down" },
    { kind: "end" },
    { kind: "text", text: "two words" },
  ]);
  unmount();
});
