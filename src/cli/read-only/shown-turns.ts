import { join } from "node:path";
import type { FileFailure } from "../../base/ports/files.ts";
import { ok, type Result } from "../../base/result.ts";
import type { Role } from "../../base/role.ts";
import type { Cli } from "../../terminal/cli.ts";
import { showRows } from "../../terminal/show-view.ts";
import { row, span } from "../../views/rows/row.ts";
import { turnEnding, turnHeading } from "../../views/timeline/render-turn.ts";
import type { Sentence } from "../../base/words/sentence.ts";
import type { FoundSession } from "../../workspace/sessions.ts";
import { TurnList, type LoggedTurn } from "../../views/timeline/turn-list.ts";
import { RawOutput, TurnOutput } from "../../views/timeline/turn-output.ts";

/** Which parts of the turns were shown, and what comes next. */
export class ShownTurns {
  readonly #cli: Pick<Cli, "host" | "terminal">;
  readonly #turns: TurnList;
  readonly #directory: string;
  readonly #raw: boolean;
  readonly #print: (line: Sentence) => void;
  readonly #done = new Set<string>();
  #isFirst = true;
  #now: { readonly turn: LoggedTurn; readonly output: TurnOutput | RawOutput } | undefined;

  constructor(
    cli: Pick<Cli, "host" | "terminal">,
    { home }: FoundSession,
    { roles, raw }: { readonly roles: readonly Role[]; readonly raw: boolean },
  ) {
    this.#cli = cli;
    this.#turns = new TurnList(cli.host.files, home, roles);
    this.#directory = home.turns;
    this.#raw = raw;
    this.#print = ({ tone, text }) => showRows(cli.terminal, [row(span(tone, text))]);
  }

  get hasAny(): boolean {
    return this.#now !== undefined || this.#done.size > 0;
  }

  /**
   * Shows what is new. First only the latest turn, then each in order: turns that ran at
   * the same time are shown one after the other, each to its end.
   *
   * @param last `ended`: nothing more will come, so an unfinished turn is shown as it is
   */
  read(last: "open" | "ended"): Result<void, FileFailure> {
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    const refreshed = this.#turns.refresh();
    if (!refreshed.ok) return refreshed;
    const { turns } = this.#turns;
    if (isFirst) for (const { begin } of turns.slice(0, -1)) this.#done.add(begin.output);
    for (const turn of turns) {
      if (this.#done.has(turn.begin.output)) continue;
      const isOpen = turn.end === undefined && last === "open" && isNewest(turn, turns);
      const shown = this.#show(turn, isOpen);
      if (!shown.ok) return shown;
      if (isOpen) return ok(undefined);
    }
    return ok(undefined);
  }

  #show(turn: LoggedTurn, isOpen: boolean): Result<void, FileFailure> {
    const output = this.#outputOf(turn);
    const read =
      output instanceof RawOutput
        ? output.read((bytes) => void process.stdout.write(bytes))
        : output.read(this.#print);
    if (!read.ok) return read;
    if (isOpen) return ok(undefined);
    this.#now = undefined;
    this.#done.add(turn.begin.output);
    if (output instanceof RawOutput) return ok(undefined);
    output.end(this.#print);
    const ending = turnEnding(turn);
    if (ending !== undefined) this.#print(ending);
    return ok(undefined);
  }

  #outputOf(turn: LoggedTurn): TurnOutput | RawOutput {
    const { output: name, engine } = turn.begin;
    if (this.#now?.turn.begin.output === name) return this.#now.output;
    const { files } = this.#cli.host;
    const base = join(this.#directory, name);
    const output = this.#raw ? new RawOutput(files, base) : new TurnOutput(files, { base, engine });
    this.#now = { turn, output };
    if (!this.#raw) this.#print(turnHeading(turn));
    return output;
  }
}

/** A killed role left a turn without an end; the role's next turn shows that it is over. */
function isNewest({ role, begin }: LoggedTurn, turns: readonly LoggedTurn[]): boolean {
  const later = turns.filter((other) => other.role === role && other.begin.time > begin.time);
  return later.every((other) => other.begin.unit === begin.unit && other.begin.part !== begin.part);
}
