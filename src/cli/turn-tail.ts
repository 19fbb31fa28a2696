import { join } from "node:path";
import type { Files } from "../base/files.ts";
import type { Role } from "../base/role.ts";
import type { Home } from "../fs-protocol/home.ts";
import type { Line } from "../tui/screen-facts.ts";
import { turnEnding, turnHeading } from "./render-turn.ts";
import type { Sentence } from "./sentence.ts";
import { TurnList, type LoggedTurn } from "./turn-list.ts";
import { TurnOutput } from "./turn-output.ts";

/** More than any screen shows. */
const LINES_MAX = 400;

/** The last lines of what the engine says in a role's newest turn, read on and on. */
export class TurnTail {
  readonly role: Role;
  readonly #files: Files;
  readonly #home: Home;
  readonly #turns: TurnList;
  #lines: Line[] = [];
  #now: { readonly name: string; readonly output: TurnOutput; isEnded: boolean } | undefined;

  constructor(files: Files, home: Home, role: Role) {
    this.role = role;
    this.#files = files;
    this.#home = home;
    this.#turns = new TurnList(files, home, [role]);
  }

  /** What stands there now, the oldest line first. What cannot be read is left out until it can. */
  read(): readonly Line[] {
    this.#turns.refresh();
    const turn = this.#turns.turns.at(-1);
    if (turn === undefined) return [];
    if (this.#now?.name !== turn.begin.output) this.#begin(turn);
    this.#readOn(turn);
    return this.#lines;
  }

  #begin(turn: LoggedTurn): void {
    const { output: name, engine } = turn.begin;
    const base = join(this.#home.turns, name);
    this.#now = { name, output: new TurnOutput(this.#files, { base, engine }), isEnded: false };
    this.#lines = [];
    this.#add(turnHeading(turn));
  }

  #readOn(turn: LoggedTurn): void {
    const now = this.#now;
    if (now === undefined || now.isEnded) return;
    now.output.read((line) => this.#add(line));
    const ending = turnEnding(turn);
    if (ending === undefined) return;
    now.output.end((line) => this.#add(line));
    now.isEnded = true;
    this.#add(ending);
  }

  #add({ tone, text }: Sentence): void {
    // A tab is as wide as the terminal likes.
    this.#lines = [...this.#lines, { style: tone, text: text.replaceAll("\t", "  ") }];
    if (this.#lines.length > LINES_MAX) this.#lines = this.#lines.slice(-LINES_MAX);
  }
}
