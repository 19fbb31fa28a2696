import type { Role } from "../base/role.ts";
import { shownQuestion } from "./bottom-rows.ts";
import type { Key } from "./key.ts";
import { KeyReader } from "./keys/key-reader.ts";
import { pressKey } from "./press-key.ts";
import { keyBefore, withQuestions } from "./press-prompt.ts";
import { takeScrollsAhead } from "./press-scroll.ts";
import type { Page } from "../views/screen/page-facts.ts";
import type { ScreenFacts } from "../views/screen/screen-facts.ts";
import { keyGround, screenRows } from "./screen-rows.ts";
import type { ScreenSize } from "./screen-size.ts";
import {
  FIRST_STATE,
  type KeyGround,
  type ScreenEffect,
  type ScreenState,
} from "./screen-state.ts";
import { NO_QUESTION, seenAfter, unreadAt } from "./seen-question.ts";
import { takeTypedAhead, typeAhead } from "./typed-ahead.ts";
import { RowWriter } from "../terminal/row-writer.ts";
import { WholeTerminal, type TerminalStreams } from "../terminal/whole-terminal.ts";

/** The terminal, and the handler of its keys. */
export interface ScreenOptions extends TerminalStreams {
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
  /** The page that is shown; undefined if none is. */
  readonly page: Page | undefined;
  show(facts: ScreenFacts): void;
  /** Restores the terminal. Calling it again has no effect. */
  close(): void;
}

const CLEAR = "\u001B[2J";

const SIZE_UNKNOWN = { columns: 80, rows: 24 };

/** Opens the screen. Call `show` to update it; `onKey` receives the keys. */
export function openScreen(options: ScreenOptions): Screen {
  return new TerminalScreen(options);
}

class TerminalScreen implements Screen {
  readonly #options: ScreenOptions;
  readonly #keys = new KeyReader((keys) => this.#pressAll(keys));
  readonly #terminal: WholeTerminal;
  #writer = new RowWriter();
  #seen = NO_QUESTION;
  #facts: ScreenFacts | undefined;
  #state: ScreenState;
  #isOpen = true;

  constructor(options: ScreenOptions) {
    this.#options = options;
    this.#state = options.state ?? FIRST_STATE;
    const { stdin, stdout } = options;
    this.#terminal = new WholeTerminal(options, () => this.#redrawAll());
    this.#terminal.open();
    this.#redraw();
    stdout.on("resize", this.#resize);
    // Unlike `data`, `readable` leaves input that nobody asks for to the next program that reads the terminal.
    stdin.setEncoding("utf8").on("readable", this.#read).ref();
  }

  get state(): ScreenState {
    return this.#state;
  }

  get tailed(): Role | undefined {
    return this.#state.mode === "tail" ? this.#state.role : undefined;
  }

  get page(): Page | undefined {
    return this.#state.pages.at(-1)?.page;
  }

  show(facts: ScreenFacts): void {
    this.#facts = facts;
    const { questions } = facts;
    const state = takeTypedAhead(withQuestions(this.#state, questions), questions);
    this.#state = takeScrollsAhead(state, keyGround(facts, state, this.#size()));
    this.#redraw();
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#keys.close();
    const { stdin, stdout } = this.#options;
    stdout.off("resize", this.#resize);
    stdin.off("readable", this.#read).unref();
    this.#terminal.close();
  }

  readonly #resize = (): void => {
    // The terminal may have rewrapped the old rows, so everything is redrawn.
    if (this.#terminal.isEntered) this.#options.stdout.write(CLEAR);
    this.#redrawAll();
  };

  readonly #read = (): void => {
    const { stdin } = this.#options;
    // The stream has an encoding, so its chunks are text.
    for (let input: unknown = stdin.read(); typeof input === "string"; input = stdin.read()) {
      this.#keys.read(input);
    }
  };

  #pressAll(keys: readonly Key[]): void {
    for (const [at, key] of keys.entries()) this.#press(keyBefore(key, keys[at + 1], this.#state));
  }

  #press(key: Key): void {
    // What follows a key that closed the screen is not meant for it.
    if (!this.#terminal.isEntered) return;
    if (key.kind === "redraw") this.#terminal.repair();
    else if (key.kind === "suspend") this.#terminal.suspend();
    else this.#pressOnScreen(key);
  }

  #pressOnScreen(key: Key): void {
    const facts = this.#facts;
    // Before the session has been read, keys have no meaning.
    const pressed =
      facts === undefined
        ? typeAhead(this.#state, key)
        : pressKey(this.#state, key, this.#ground(facts));
    this.#state = pressed.state;
    this.#redraw();
    this.#options.onKey(pressed.effect);
  }

  #ground(facts: ScreenFacts): KeyGround {
    const unread = unreadAt(this.#seen, performance.now());
    return { ...keyGround(facts, this.#state, this.#size()), unread };
  }

  #redrawAll(): void {
    this.#writer = new RowWriter();
    this.#redraw();
  }

  #redraw(): void {
    if (!this.#terminal.isEntered) return;
    const { stdout, hasColors } = this.#options;
    const size = this.#size();
    const write = (text: string) => void stdout.write(text);
    const rows = screenRows(this.#facts, this.#state, size);
    this.#writer.draw(rows, { write, hasColors, columns: size.columns });
    const shown = shownQuestion(this.#facts?.questions ?? [], this.#state.prompt);
    this.#seen = seenAfter(this.#seen, shown, performance.now());
  }

  #size(): ScreenSize {
    const { columns, rows } = this.#options.stdout;
    return { columns: columns || SIZE_UNKNOWN.columns, rows: rows || SIZE_UNKNOWN.rows };
  }
}
