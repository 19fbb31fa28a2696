import { join } from "node:path";
import type { Files } from "../../base/ports/files.ts";
import type { Role } from "../../base/role.ts";
import type { Home } from "../../fs-protocol/home/home.ts";
import { TurnList, type LoggedTurn } from "./turn-list.ts";
import { TurnOutput } from "./turn-output.ts";

/** The signs of life of a role's engine in its newest turn. */
export interface RoleSign {
  /** When the turn began, in milliseconds since 1970. */
  readonly beganMs: number;
  /** Grows with each piece of output that was read. */
  readonly pieces: number;
  /** When the last piece was read; undefined if none was. */
  readonly grewMs: number | undefined;
  /** The last line with any text in it, cleaned. */
  readonly lastLine: string | undefined;
}

/** Follows the output of a role's engine for its signs of life. Of a long output, it reads only the end. */
export class RoleSigns {
  readonly role: Role;
  readonly #files: Files;
  readonly #home: Home;
  readonly #turns: TurnList;
  #now: { readonly name: string; readonly output: TurnOutput; sign: RoleSign } | undefined;

  constructor(files: Files, home: Home, role: Role) {
    this.role = role;
    this.#files = files;
    this.#home = home;
    this.#turns = new TurnList(files, home, [role]);
  }

  /** The signs of the turn that is running; undefined if none is. Unreadable output is no sign. */
  read(nowMs: number): RoleSign | undefined {
    this.#turns.refresh();
    const newest = this.#turns.turns.at(-1);
    if (newest === undefined || newest.end !== undefined) return undefined;
    const isNew = this.#now?.name !== newest.begin.output;
    const now = isNew ? this.#follow(newest) : this.#now;
    if (now === undefined) return undefined;
    let { lastLine } = now.sign;
    const read = now.output.read(({ text }) => {
      const words = text.replaceAll("\t", " ").trim();
      if (words !== "") lastLine = words;
    });
    const hasGrown = read.ok && read.value;
    // What was there before nobody saw grow.
    const growth = hasGrown && !isNew ? { pieces: now.sign.pieces + 1, grewMs: nowMs } : {};
    now.sign = { ...now.sign, lastLine, ...growth };
    return now.sign;
  }

  #follow({ begin }: LoggedTurn) {
    const { output: name, engine } = begin;
    const base = join(this.#home.turns, name);
    const output = new TurnOutput(this.#files, { base, engine, isEndOnly: true });
    const beganMs = Date.parse(begin.time);
    const sign: RoleSign = { beganMs, pieces: 0, grewMs: undefined, lastLine: undefined };
    this.#now = { name, output, sign };
    return this.#now;
  }
}
