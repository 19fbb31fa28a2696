import type { z } from "zod";
import { roleLog } from "../fs-protocol/home/home.ts";
import type { TurnContext } from "./turn/turn.ts";
import { Projector, type JournalFold } from "../home/projector.ts";
import { restoredRecord } from "../home/restored-record.ts";
import { SharedFiles } from "../home/shared-files.ts";

/** The projector of a role's journal. Records in the journal which shared files it had to restore. */
export function roleProjector<S extends z.ZodType, F>(
  { role, ports, home, session, journal, snapshots }: TurnContext,
  fold: JournalFold<S, F>,
): Projector<S, F> {
  const { files, locks, clock } = ports;
  return new Projector({
    files,
    locks,
    path: roleLog(home, role),
    ...fold,
    place: snapshots?.("projections"),
    shared: new SharedFiles({ ports, home, session }),
    onRestored: (restored) => {
      journal.append(restoredRecord(restored, { home, clock }));
    },
  });
}
