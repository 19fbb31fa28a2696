import { join } from "node:path";
import type { Files } from "../../base/ports/files.ts";
import { ROLES, type Role } from "../../base/role.ts";
import { refusedWords } from "../../engines/events/call-words.ts";
import { EventReader } from "../../engines/events/event-reader.ts";
import { addEvent, NOTHING_REPORTED } from "../../engines/events/turn-report.ts";
import type { Home } from "../../fs-protocol/home/home.ts";
import type { RunningTurn, TurnRefusals } from "../../session/state/role-turns.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import { parserOf } from "../timeline/turn-output.ts";

/** How much of a turn's output is read, from its end, so that a status does not take seconds. */
const OUTPUT_BYTES_MAX = 1024 * 1024;

/** The calls that engines were refused in running turns. The records include them only when the turns end. */
export function refusedNow(
  files: Files,
  home: Home,
  { turns }: Pick<SessionState, "turns">,
): ReadonlyMap<Role, TurnRefusals> {
  return new Map(
    ROLES.flatMap((role) => {
      const found = (turns?.facts.runningOf(role) ?? []).flatMap(
        (turn) => refusedIn(files, home, turn) ?? [],
      );
      return found.slice(0, 1).map((refusals) => [role, refusals] as const);
    }),
  );
}

function refusedIn(
  files: Files,
  { turns }: Home,
  { engine, output }: RunningTurn,
): TurnRefusals | undefined {
  const parse = parserOf(engine);
  const path = join(turns, `${output}.out`);
  const size = files.stat(path)?.sizeBytes ?? 0;
  if (parse === undefined || size === 0) return undefined;
  const read = files.readChunk(path, Math.max(0, size - OUTPUT_BYTES_MAX), OUTPUT_BYTES_MAX);
  if (!read.ok) return undefined;
  const { denials } = new EventReader(parse)
    .push(read.value)
    .reduce((report, event) => addEvent(report, event, "last"), NOTHING_REPORTED);
  const refused = refusedWords(denials);
  return denials.length === 0 ? undefined : { engine, denied: denials.length, refused };
}
