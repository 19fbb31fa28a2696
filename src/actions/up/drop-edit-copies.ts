import { need } from "../../base/fatal.ts";
import type { Files } from "../../base/ports/files.ts";
import { DOCUMENT_BYTES_MAX } from "../../base/limits.ts";
import { ok } from "../../base/result.ts";
import { allEditCopies } from "../../fs-protocol/home/edit-copies.ts";
import type { Home } from "../../fs-protocol/home/home.ts";
import { replaceTicks } from "../../fs-protocol/tasks/tasks-ticks.ts";

/**
 * Removes the copies of a file whose content was just recorded: they are dealt with. Ticks of
 * TASKS.md do not count, since they change while an edit waits.
 */
export function dropEditCopies(
  files: Pick<Files, "list" | "read" | "remove">,
  home: Home,
  { file, text }: { readonly file: "TASKS.md" | "request.md"; readonly text: string },
): void {
  const bare = (words: string) => (file === "TASKS.md" ? replaceTicks(words, new Map()) : words);
  const recorded = bare(text);
  for (const copy of allEditCopies(files, home)) {
    if (copy.file !== file) continue;
    const read = files.read(copy.path, DOCUMENT_BYTES_MAX);
    const bytes = read.ok ? read.value : undefined;
    const isSame = bytes !== undefined && bare(new TextDecoder().decode(bytes)) === recorded;
    need(isSame ? files.remove(copy.path) : ok(undefined));
  }
}
