import { join } from "node:path";
import { need } from "../base/fatal.ts";
import { DOCUMENT_BYTES_MAX } from "../base/limits.ts";
import type { Host } from "../host/host.ts";
import type { Environment } from "../base/ports/processes.ts";
import { shown } from "../base/words/shown.ts";
import type { Terminal } from "./terminal.ts";

/** What opening an editor requires, and how to report that there is none. */
interface Desk {
  readonly host: Pick<Host, "files" | "processes">;
  readonly env: Environment;
  readonly terminal: Terminal;
  readonly cwd: string;
}

/** A text that a person edits, in a temporary file. */
export interface EditedFile {
  readonly directory: string;
  readonly name: string;
  readonly text: string;
}

/** The fallbacks if neither variable is set, as in git and Debian. */
const EDITORS = ["sensible-editor", "vi", "nano"];

/**
 * Opens a text in the person's editor, and returns the edited text. Undefined if there is no
 * editor, or if it failed, which is reported. `$VISUAL` comes before `$EDITOR`; both may have
 * arguments.
 */
export async function openEditor(
  { host, env, terminal, cwd }: Desk,
  { directory, name, text }: EditedFile,
): Promise<string | undefined> {
  const words = [env["VISUAL"], env["EDITOR"]].find((one) => (one ?? "").trim() !== "") ?? "";
  const commands = words.trim() === "" ? EDITORS : [words.trim()];
  const path = join(directory, name);
  need(host.files.makeDirectory(directory));
  need(host.files.replace(path, Buffer.from(`${text}\n`)));
  for (const command of commands) {
    const [executable = "", ...rest] = command.split(/\s+/u);
    const argv = [executable, ...rest, path] as const;
    const ended = await host.processes.attach({ argv, cwd, env, runId: `${path}#editor` });
    // It is not installed.
    if (!ended.ok && words.trim() === "") continue;
    if (ended.ok && ended.value.kind === "exited" && ended.value.exitCode === 0) {
      const read = need(host.files.read(path, DOCUMENT_BYTES_MAX));
      return read === undefined ? undefined : new TextDecoder().decode(read);
    }
    const name = JSON.stringify(executable);
    terminal.err(
      `The editor ${name} failed; its text was not used, and is kept in ${shown(path)}.`,
    );
    return undefined;
  }
  terminal.err("No editor was found: set VISUAL or EDITOR.");
  return undefined;
}
