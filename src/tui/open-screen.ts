import { isDeepStrictEqual } from "node:util";
import { Box, render, Text, useInput, type Instance, type Key as InkKey } from "ink";
import { createElement, type ReactElement } from "react";
import type { Role } from "../base/role.ts";
import type { Key } from "./key.ts";
import {
  FIRST_STATE,
  pressKey,
  withQuestions,
  type KeyGround,
  type ScreenEffect,
  type ScreenState,
} from "./press-key.ts";
import type { ScreenFacts } from "../views/screen/screen-facts.ts";
import { screenRows, tailRoom, type ScreenSize } from "./screen-rows.ts";
import { takeTypedAhead, typeAhead } from "./typed-ahead.ts";
import { paintRow } from "../terminal/paint-rows.ts";
import { rowWidth } from "../views/rows/cells.ts";
import type { Row } from "../views/rows/row.ts";

/** The terminal, and the handler of its keys. */
export interface ScreenOptions {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly hasColors: boolean;
  /** Called for each key, after the screen has changed. */
  readonly onKey: (effect: ScreenEffect | undefined) => void;
  /** The screen state to start with, if the screen was open before. */
  readonly state?: ScreenState | undefined;
}

/** The screen of a session while it is open. */
export interface Screen {
  readonly state: ScreenState;
  /** The role whose output is shown; undefined if none is. */
  readonly tailed: Role | undefined;
  show(facts: ScreenFacts): void;
  /** Restores the terminal. Calling it again has no effect. */
  close(): void;
}

// Uses the alternate screen, so that the terminal's content is back afterwards.
const ENTER = "\u001B[?1049h\u001B[H";
const CLEAR = "\u001B[2J\u001B[H";
const LEAVE = "\u001B[?1049l\u001B[?25h";

const FPS_MAX = 12;
const SIZE_UNKNOWN = { columns: 80, rows: 24 };

/** Opens the screen. Call `show` to update it; `onKey` receives the keys. */
export function openScreen(options: ScreenOptions): Screen {
  return new InkScreen(options);
}

class InkScreen implements Screen {
  readonly #options: ScreenOptions;
  #facts: ScreenFacts | undefined;
  #state: ScreenState;
  #drawn: readonly Row[] = [];
  /** Undefined after the screen is closed. */
  #instance: Instance | undefined;

  constructor(options: ScreenOptions) {
    this.#options = options;
    this.#state = options.state ?? FIRST_STATE;
    options.stdout.write(ENTER);
    this.#instance = this.#mount();
    options.stdout.on("resize", this.#resize);
  }

  get state(): ScreenState {
    return this.#state;
  }

  get tailed(): Role | undefined {
    return this.#state.mode === "tail" ? this.#state.role : undefined;
  }

  show(facts: ScreenFacts): void {
    this.#facts = facts;
    const { questions } = facts;
    this.#state = takeTypedAhead(withQuestions(this.#state, questions), questions);
    this.#redraw();
  }

  close(): void {
    if (this.#instance === undefined) return;
    const { stdout } = this.#options;
    stdout.off("resize", this.#resize);
    this.#instance.unmount();
    this.#instance = undefined;
    stdout.write(LEAVE);
  }

  readonly #resize = (): void => {
    // The terminal may have rewrapped the old rows, so everything is redrawn.
    this.#instance?.unmount();
    this.#options.stdout.write(CLEAR);
    this.#instance = this.#mount();
  };

  readonly #press = (key: Key): void => {
    const ground = this.#ground();
    const pressed =
      ground === undefined ? typeAhead(this.#state, key) : pressKey(this.#state, key, ground);
    this.#state = pressed.state;
    this.#redraw();
    this.#options.onKey(pressed.effect);
  };

  /** Undefined before the session has been read; until then keys have no meaning. */
  #ground(): KeyGround | undefined {
    const facts = this.#facts;
    if (facts === undefined) return undefined;
    const { questions, tail, atWork } = facts;
    return { questions, atWork, tail, room: tailRoom(facts, this.#state, this.#size()) };
  }

  #mount(): Instance {
    const { stdin, stdout } = this.#options;
    const settings = { exitOnCtrlC: false, patchConsole: false, maxFps: FPS_MAX };
    return render(this.#draw(), { stdin, stdout, ...settings });
  }

  /** Ink lays out and styles the whole screen each time, even if it then writes nothing. */
  #redraw(): void {
    if (isDeepStrictEqual(this.#rows(), this.#drawn)) return;
    this.#instance?.rerender(this.#draw());
  }

  #draw(): ReactElement {
    const { hasColors } = this.#options;
    this.#drawn = this.#rows();
    return createElement(ScreenView, { rows: this.#drawn, hasColors, onKey: this.#press });
  }

  #rows(): readonly Row[] {
    return screenRows(this.#facts, this.#state, this.#size());
  }

  #size(): ScreenSize {
    const { columns, rows } = sizeOf(this.#options.stdout);
    // If the last row is used, Ink clears the whole terminal at every change, which flickers.
    return { columns, rows: rows - 1 };
  }
}

function sizeOf(stdout: NodeJS.WriteStream): ScreenSize {
  const { columns, rows } = stdout;
  return { columns: columns || SIZE_UNKNOWN.columns, rows: rows || SIZE_UNKNOWN.rows };
}

interface ScreenViewProps {
  readonly rows: readonly Row[];
  readonly hasColors: boolean;
  readonly onKey: (key: Key) => void;
}

/** Draws rows and reports keys. */
export function ScreenView({ rows, hasColors, onKey }: ScreenViewProps): ReactElement {
  useInput((input, pressed) => {
    keysOf(input, pressed).forEach(onKey);
  });
  return createElement(
    Box,
    { flexDirection: "column" },
    ...rows.map((one, index) => createElement(RowView, { key: index, row: one, hasColors })),
  );
}

function RowView({ row, hasColors }: { readonly row: Row; readonly hasColors: boolean }) {
  // Ink gives an empty row no height.
  const text = rowWidth(row) === 0 ? " " : paintRow(row, hasColors);
  return createElement(Text, { wrap: "truncate-end" }, text);
}

/** The keys that the screen knows; empty for all others. */
function keysOf(input: string, key: InkKey): readonly Key[] {
  if (key.ctrl) return controlKeys(input);
  const named = NAMED.find(([name]) => key[name]);
  if (named !== undefined) return [{ kind: named[1] }];
  return key.meta ? [] : typedKeys(input);
}

/**
 * The keys in one piece of input that was typed quickly or pasted. It may contain backspaces and end with Enter. A line
 * break in the middle is part of the pasted text.
 */
export function typedKeys(input: string): readonly Key[] {
  const isEntered = /[\r\n]$/u.test(input);
  const parts = input.replace(/(?:\r\n|\r|\n)$/u, "").split(/([\b\u007F])/u);
  const keys = parts.flatMap((part): readonly Key[] => {
    if (part === "\b" || part === "\u007F") return [{ kind: "backspace" }];
    const text = part.replace(/\p{Cc}/gu, " ");
    return text === "" ? [] : [{ kind: "text", text }];
  });
  return isEntered ? [...keys, { kind: "enter" }] : keys;
}

const NAMED = [
  ["return", "enter"],
  ["escape", "escape"],
  ["backspace", "backspace"],
  // Ink reports the backspace key as "delete".
  ["delete", "backspace"],
  ["leftArrow", "left"],
  ["rightArrow", "right"],
  ["upArrow", "up"],
  ["downArrow", "down"],
  ["pageUp", "page-up"],
  ["pageDown", "page-down"],
  ["home", "home"],
  ["end", "end"],
  ["tab", "tab"],
] as const;

function controlKeys(letter: string): readonly Key[] {
  switch (letter) {
    case "c":
      return [{ kind: "interrupt" }];
    case "a":
      return [{ kind: "home" }];
    case "e":
      return [{ kind: "end" }];
    case "u":
      return [{ kind: "erase-line" }];
    default:
      return [];
  }
}
