import { CannotGoOn, need } from "../../base/fatal.ts";
import { EXIT } from "../../base/exit-code.ts";
import { refusal } from "../../base/failure.ts";
import { REASON_CHARS_MAX } from "../../base/limits.ts";
import { cleanText } from "../../base/words/clean-text.ts";
import { shown } from "../../base/words/shown.ts";
import { findingsView, type FindingView } from "../../views/findings/findings-view.ts";
import { appendHuman } from "../../workspace/session/append-human.ts";
import { stateFor } from "../../workspace/session/session-for.ts";
import type { FoundSession } from "../../workspace/sessions.ts";
import type { World } from "../../workspace/world.ts";
import { sayThere } from "../elsewhere/say-there.ts";
import { ensureRunning } from "../up/ensure-running.ts";

/** How many ids a message names. */
const NAMED_MAX = 10;

interface Asked {
  readonly session: string;
  readonly asked: string;
  readonly known: readonly string[];
}

/** The session has no finding or bug with that id. */
export const NoSuchFinding = refusal(
  "no-such-finding",
  EXIT.usage,
  ({ session, asked, known }: Asked) => {
    const named = known.slice(0, NAMED_MAX).join(", ");
    return [
      `The session ${session} has no finding or bug '${shown(asked)}'.`,
      named === ""
        ? "It has no findings yet. To see its state:"
        : `Its findings and bugs: ${named}`,
      named === "" ? `wisp status ${session}` : `wisp findings ${session}`,
    ];
  },
);

/** The finding or bug is already closed. */
export const FindingClosed = refusal(
  "finding-closed",
  EXIT.failure,
  ({ session, id }: { readonly session: string; readonly id: string }) => [
    `${id} is already closed; there is nothing to dismiss.`,
    "To see how it was closed:",
    `wisp findings show ${id} --session ${session}`,
  ],
);

/** Returns the finding or bug that a person wants to dismiss; throws `CannotGoOn` if it cannot be dismissed. */
export async function itemToDismiss(
  world: World,
  found: FoundSession,
  asked: string,
): Promise<FindingView> {
  const all = findingsView(await stateFor(world, "judge", found));
  const session = found.session.id;
  const finding = all.find(({ id }) => id.toLowerCase() === asked.toLowerCase());
  if (finding === undefined) {
    throw new CannotGoOn(NoSuchFinding({ session, asked, known: all.map(({ id }) => id) }));
  }
  const { id, state } = finding;
  if (state === "closed") throw new CannotGoOn(FindingClosed({ session, id }));
  return finding;
}

/**
 * Records that a person closes a finding or bug for good, unless they have done so before, and has the session
 * continue.
 *
 * @returns whether it was recorded now
 */
export async function dismissItem(
  world: World,
  found: FoundSession,
  { id, why: text }: { readonly id: string; readonly why: string },
): Promise<boolean> {
  const why = cleanText(text, { charsMax: REASON_CHARS_MAX, lines: "many" });
  if (found.mirrors !== undefined) {
    const words = ["findings", "dismiss", "--session", found.session.id, "--", id, why];
    await sayThere(world, found, words);
    return true;
  }
  const appended = need(
    await appendHuman(world, found, ({ items }) =>
      items.some((item) => item.kind === "dismiss" && item.id === id)
        ? undefined
        : { kind: "dismiss", id, why },
    ),
  );
  await ensureRunning(world, found, { isStopped: appended.before.stopped });
  return appended.isAppended;
}

/** What became of a dismissal, in a sentence. */
export function dismissedWords(id: string, isNew: boolean): string {
  return isNew ? `Dismissed ${id}.` : `${id} was already dismissed.`;
}
