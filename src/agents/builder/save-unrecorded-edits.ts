import { need } from "../../base/fatal.ts";
import { DOCUMENT_BYTES_MAX } from "../../base/limits.ts";
import { isTasksCurrent, compareTasks } from "../../session/rules/compare-tasks.ts";
import type { SessionState } from "../../session/state/session-state.ts";
import { encodeStuckHint } from "../../session/state/stuck-hint.ts";
import { editKeeper } from "../../home/edit-keeper.ts";
import { restoredRecord } from "../../home/restored-record.ts";
import type { RoleContext } from "../../work/role-context.ts";

/**
 * Saves copies of TASKS.md and of the hint if somebody edited them and no command has recorded that, because the role
 * was started by hand or restarted after it was killed. Must be called before this process writes either file.
 */
export function saveUnrecordedEdits(context: RoleContext<"builder">, state: SessionState): void {
  saveTasks(context, state);
  saveHint(context, state);
}

function saveTasks(context: RoleContext<"builder">, state: SessionState): void {
  const { ports, home, session } = context;
  if (need(isTasksCurrent(ports.files, home, state))) return;
  const { text, isOwn, expected } = need(compareTasks(ports.files, home, session));
  if (text === undefined || isOwn) return;
  saveCopy(context, { path: home.tasks, expected });
}

function saveHint(context: RoleContext<"builder">, { builder }: SessionState): void {
  const { ports, home } = context;
  const { hints, lastHint } = builder;
  if (lastHint === undefined) return;
  const bytes = need(ports.files.read(home.stuckHint, DOCUMENT_BYTES_MAX));
  const text = bytes && new TextDecoder().decode(bytes);
  const own = [lastHint, ...hints.values()].map(encodeStuckHint);
  if (text === undefined || own.includes(text)) return;
  saveCopy(context, { path: home.stuckHint, expected: encodeStuckHint(lastHint) });
}

function saveCopy(
  { ports, home, journal }: RoleContext<"builder">,
  { path, expected }: { readonly path: string; readonly expected: string | undefined },
): void {
  const own = expected === undefined ? undefined : Buffer.from(expected);
  const copy = editKeeper(ports.files, home).keep(path, own);
  if (copy === undefined) return;
  journal.append(restoredRecord({ path, found: "edited", copy }, { home, clock: ports.clock }));
}
