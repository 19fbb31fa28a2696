import { KeptNotes } from "./kept-notes.ts";
import { restoredRecord } from "./restored-line.ts";
import type { TurnContext } from "../turn/turn.ts";

/** The notes of a role's session; what is put back of them is on the role's record. */
export function notesOf({ ports, home, session, journal }: TurnContext): KeptNotes {
  const { files, clock } = ports;
  return new KeptNotes({
    files,
    home,
    session,
    onRestored: (restored) => {
      journal.append(restoredRecord(restored, { home, clock }));
    },
  });
}
