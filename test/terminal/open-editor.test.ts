import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SpawnFailure } from "../../src/base/ports/processes.ts";
import type { Cli } from "../../src/terminal/cli.ts";
import { openEditor } from "../../src/terminal/open-editor.ts";
import { captureTerminal } from "../rig/captured-terminal.ts";
import { createHost } from "../../src/host/host.ts";
import { fail, ok } from "../../src/base/result.ts";

/** The editors that are tried on a machine with these programs. */
async function tried(
  env: Readonly<Record<string, string>>,
  installed: readonly string[],
): Promise<{
  readonly commands: readonly string[];
  readonly text: string | undefined;
  readonly said: string;
}> {
  const directory = mkdtempSync(join(tmpdir(), "wisp-"));
  const host = createHost();
  const terminal = captureTerminal();
  const commands: string[] = [];
  const attach: Cli["host"]["processes"]["attach"] = ({ argv }) => {
    const [program] = argv;
    commands.push(argv.slice(0, -1).join(" "));
    const isThere = installed.includes(program);
    const missing = SpawnFailure({ executable: program, errno: "ENOENT" });
    return Promise.resolve(isThere ? ok({ kind: "exited" as const, exitCode: 0 }) : fail(missing));
  };
  const processes: Cli["host"]["processes"] = { ...host.processes, attach };
  const cli = {
    host: { ...host, processes },
    env,
    terminal,
    cwd: directory,
    version: "1",
    entry: "",
    nodePath: "",
  };
  const text = await openEditor(cli, { directory, name: "plan.md", text: "a plan" });
  rmSync(directory, { recursive: true });
  return { commands, text, said: terminal.lines.join("\n") };
}

test("tries the system's editors if no variable names one, as git does", async () => {
  expect(await tried({}, ["vi", "nano"])).toMatchObject({
    commands: ["sensible-editor", "vi"],
    text: "a plan\n",
  });
  expect(await tried({ EDITOR: "code --wait" }, ["code"])).toMatchObject({
    commands: ["code --wait"],
    text: "a plan\n",
  });
});

test("reports an editor that was named but is missing, and that no editor was found", async () => {
  const named = await tried({ VISUAL: "emacs" }, ["vi"]);
  expect(named).toMatchObject({ commands: ["emacs"], text: undefined });
  expect(named.said).toContain('The editor "emacs" failed');
  expect((await tried({}, [])).said).toContain("set VISUAL or EDITOR");
});
