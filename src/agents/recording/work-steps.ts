import type { CassetteStep } from "../../engines/replay/cassette-schema.ts";
import type { FileChange, FileState, WorkStep } from "../../git/clone/turn-changes.ts";
import type { Redact } from "./redact.ts";

/** The steps that repeat the work done in a clone. */
export function workSteps(steps: readonly WorkStep[], redact: Redact): readonly CassetteStep[] {
  return steps.flatMap(({ message, changes }) => [
    // Deletions come first, because a folder may replace a file.
    ...changes.filter(({ after }) => after === undefined).flatMap(deletion),
    ...changes.flatMap((change) => changeSteps(change, redact)),
    ...(message === undefined ? [] : [{ commit: redact(message) }]),
  ]);
}

function deletion({ path, before }: FileChange): readonly CassetteStep[] {
  return before === undefined ? [] : [{ delete: { path } }];
}

const LINK = "120000";
const EXECUTABLE = "100755";

function changeSteps({ path, before, after }: FileChange, redact: Redact): readonly CassetteStep[] {
  if (after === undefined) return [];
  const isOtherKind = before !== undefined && before.mode !== after.mode;
  const cleared: readonly CassetteStep[] = isOtherKind ? [{ delete: { path } }] : [];
  if (after.mode === LINK) {
    const target = Buffer.from(after.bytes).toString("utf8");
    return [...cleared, { run: { argv: ["ln", "-sfn", "--", redact(target), path] } }];
  }
  const text = textOf(after);
  const executable = after.mode === EXECUTABLE ? { executable: true } : {};
  if (text === undefined) {
    const content = Buffer.from(after.bytes).toString("base64");
    return [...cleared, { write: { path, content, encoding: "base64", ...executable } }];
  }
  const old = isOtherKind || before === undefined ? undefined : textOf(before);
  const patch = old === undefined ? undefined : patchOf(old, text);
  // Only if redaction does not change the text to find: otherwise a replay would not find it.
  if (patch !== undefined && redact(patch.find) === patch.find)
    return [{ patch: { path, find: patch.find, replace: redact(patch.replace) } }];
  return [...cleared, { write: { path, content: redact(text), ...executable } }];
}

function textOf({ bytes }: FileState): string | undefined {
  const text = Buffer.from(bytes).toString("utf8");
  return !text.includes("\0") && Buffer.from(text).equals(bytes) ? text : undefined;
}

/**
 * Returns the range from the first to the last line that differ, with as many lines around it as make it unique in the
 * file; undefined if that is most of the file. A patch still applies if the rest of the file was changed.
 */
export function patchOf(
  before: string,
  after: string,
): { readonly find: string; readonly replace: string } | undefined {
  const [old, now] = [before.split(/(?<=\n)/u), after.split(/(?<=\n)/u)];
  const shared = Math.min(old.length, now.length);
  let head = 0;
  while (head < shared && old[head] === now[head]) head++;
  let tail = 0;
  while (tail < shared - head && old.at(-1 - tail) === now.at(-1 - tail)) tail++;
  for (let around = 1; around <= AROUND_LINES_MAX; around++) {
    const [start, tailKept] = [Math.max(0, head - around), Math.max(0, tail - around)];
    const find = old.slice(start, old.length - tailKept).join("");
    if (find.length * 2 > before.length) return undefined;
    const replace = now.slice(start, now.length - tailKept).join("");
    // Not counted with `split`: occurrences may overlap, like two empty lines within three.
    if (find !== "" && before.indexOf(find) === before.lastIndexOf(find)) return { find, replace };
  }
  return undefined;
}

const AROUND_LINES_MAX = 20;
