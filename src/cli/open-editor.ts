import { join } from "node:path";
import { need } from "../base/fatal.ts";
import { DOCUMENT_BYTES_MAX } from "../base/limits.ts";
import type { Cli } from "./cli.ts";

/** A text that a person edits, in a file of its own. */
export interface EditedFile {
  readonly directory: string;
  readonly name: string;
  readonly text: string;
}

/**
 * Opens a text in the person's editor, and returns it as it is afterwards; undefined: there is no editor,
 * or it could not be run, which is said. `$VISUAL` comes before `$EDITOR`; both may have arguments.
 */
export async function openEditor(
  { host, env, terminal, cwd }: Cli,
  { directory, name, text }: EditedFile,
): Promise<string | undefined> {
  const words = [env["VISUAL"], env["EDITOR"]].find((one) => (one ?? "").trim() !== "") ?? "";
  const [executable, ...rest] = words.trim().split(/\s+/u);
  if (executable === undefined || executable === "") {
    terminal.err("There is no editor: set VISUAL or EDITOR.");
    return undefined;
  }
  const path = join(directory, name);
  need(host.files.makeDirectory(directory));
  need(host.files.replace(path, Buffer.from(`${text}\n`)));
  const argv = [executable, ...rest, path] as const;
  const ended = await host.processes.attach({ argv, cwd, env, runId: `${path}#editor` });
  const isWell = ended.ok && ended.value.kind === "exited" && ended.value.exitCode === 0;
  if (!isWell) {
    terminal.err(
      `The editor ${JSON.stringify(executable)} did not end well; nothing was taken from it.`,
    );
    return undefined;
  }
  const read = need(host.files.read(path, DOCUMENT_BYTES_MAX));
  return read === undefined ? undefined : new TextDecoder().decode(read);
}
