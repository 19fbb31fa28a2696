import { join } from "node:path";
import type { Files } from "../../base/ports/files.ts";
import type { Role } from "../../base/role.ts";
import type { Home } from "../../fs-protocol/home/home.ts";
import { row, span, type Row } from "../rows/row.ts";
import type { TailFacts } from "../screen/screen-facts.ts";
import { turnEnding, turnHeading } from "./render-turn.ts";
import type { Sentence } from "../../base/words/sentence.ts";
import { TurnList, type LoggedTurn } from "./turn-list.ts";
import { TurnOutput } from "./turn-output.ts";

/** How many lines can be scrolled back to. */
const LINES_MAX = 2_000;

/**
 * The last lines of the output of a role's engines. Starts with the role's newest turn and continues with every later
 * one.
 */
export class TurnTail {
  readonly role: Role;
  readonly #files: Files;
  readonly #home: Home;
  readonly #turns: TurnList;
  readonly #lines: Row[] = [];
  /** How many lines were dropped. */
  #first = 0;
  #now: { readonly name: string; readonly output: TurnOutput; isEnded: boolean } | undefined;

  constructor(files: Files, home: Home, role: Role) {
    this.role = role;
    this.#files = files;
    this.#home = home;
    this.#turns = new TurnList(files, home, [role]);
  }

  /** The current lines. Unreadable output is left out until it can be read. */
  read(): TailFacts {
    this.#turns.refresh();
    const { turns } = this.#turns;
    const now = turns.find(({ begin }) => begin.output === this.#now?.name);
    if (now !== undefined) this.#readOn(now);
    const newest = turns.at(-1);
    if (newest !== undefined && newest !== now) {
      this.#begin(newest);
      this.#readOn(newest);
    }
    const dropped = Math.max(0, this.#lines.length - LINES_MAX);
    this.#lines.splice(0, dropped);
    this.#first += dropped;
    return { role: this.role, first: this.#first, lines: [...this.#lines] };
  }

  #begin(turn: LoggedTurn): void {
    const { output: name, engine } = turn.begin;
    const base = join(this.#home.turns, name);
    this.#now = { name, output: new TurnOutput(this.#files, { base, engine }), isEnded: false };
    if (this.#lines.length > 0) this.#lines.push(row(""));
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
    // The width of a tab depends on the terminal.
    this.#lines.push(row(span(tone, text.replaceAll("\t", "  "))));
  }
}
