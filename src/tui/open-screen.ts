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

/** The terminal, and who performs what its keys ask for. */
export interface ScreenOptions {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly hasColors: boolean;
  /** Called for each key, after the screen has changed. */
  readonly onKey: (effect: ScreenEffect | undefined) => void;
  /** What the person saw before. */
  readonly state?: ScreenState | undefined;
}

/** The screen of a session, as long as it is shown. */
export interface Screen {
  readonly state: ScreenState;
  /** Whose output is to be shown; undefined: nobody's. */
  readonly tailed: Role | undefined;
  show(facts: ScreenFacts): void;
  /** Gives the terminal back. Calling it again does nothing. */
  close(): void;
}

// The other screen: what stood in the terminal is there again afterwards.
const ENTER = "\u001B[?1049h\u001B[H";
const CLEAR = "\u001B[2J\u001B[H";
const LEAVE = "\u001B[?1049l\u001B[?25h";

const FPS_MAX = 12;
const SIZE_UNKNOWN = { columns: 80, rows: 24 };

/** Shows the screen until it is closed; what it shows comes by `show`, what is pressed goes to `onKey`. */
export function openScreen(options: ScreenOptions): Screen {
  return new InkScreen(options);
}

class InkScreen implements Screen {
  readonly #options: ScreenOptions;
  #facts: ScreenFacts | undefined;
  #state: ScreenState;
  /** Absent after the end. */
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
    this.#instance?.rerender(this.#draw());
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
    // What the terminal made of the old rows nobody knows: all of it is drawn anew.
    this.#instance?.unmount();
    this.#options.stdout.write(CLEAR);
    this.#instance = this.#mount();
  };

  readonly #press = (key: Key): void => {
    const ground = this.#ground();
    const pressed =
      ground === undefined ? typeAhead(this.#state, key) : pressKey(this.#state, key, ground);
    this.#state = pressed.state;
    this.#instance?.rerender(this.#draw());
    this.#options.onKey(pressed.effect);
  };

  /** Undefined before the session was read: then nothing can be meant by a key. */
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

  #draw(): ReactElement {
    const { hasColors } = this.#options;
    const shown = screenRows(this.#facts, this.#state, this.#size());
    return createElement(ScreenView, { rows: shown, hasColors, onKey: this.#press });
  }

  #size(): ScreenSize {
    const { columns, rows } = sizeOf(this.#options.stdout);
    // With the last row used, Ink clears the whole terminal at every change, which flickers.
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

/** Draws rows, and tells of keys. */
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
  // A row without a cell takes no room.
  const text = rowWidth(row) === 0 ? " " : paintRow(row, hasColors);
  return createElement(Text, { wrap: "truncate-end" }, text);
}

/** Keys as the screen knows them; none for those that mean nothing to it. */
function keysOf(input: string, key: InkKey): readonly Key[] {
  if (key.ctrl) return controlKeys(input);
  const named = NAMED.find(([name]) => key[name]);
  if (named !== undefined) return [{ kind: named[1] }];
  return key.meta ? [] : typedKeys(input);
}

/**
 * Keys that were typed so fast, or pasted, that they came as one piece: the one above Enter among them, and
 * Enter at the end. A line break within is part of what was pasted.
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
  // What the key above Enter sends is taken for "delete".
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
