import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { refusedWords } from "../../src/engines/events/call-words.ts";
import { driverOf } from "./cli-drivers.ts";
import { Drive } from "./drive.ts";
import { CLIS } from "./installed.ts";

type Call = { readonly name: string; readonly input: unknown };

/** A call that each CLI refuses if nobody can be asked, and how it is described. */
const REFUSED: Readonly<Record<string, (path: string) => readonly [Call, named: string]>> = {
  claude: (path) => [{ name: "Read", input: { file_path: path } }, "Read on …/range.diff"],
  codex: (path) => [
    {
      name: "exec_command",
      input: {
        ...{ cmd: `cat ${path}`, yield_time_ms: 20_000, justification: "To read it." },
        sandbox_permissions: "require_escalated",
      },
    },
    "a command outside of its sandbox",
  ],
  copilot: (path) => [{ name: "view", input: { path } }, "view on …/range.diff"],
  gemini: (path) => [
    { name: "read_file", input: { file_path: path } },
    "read_file on …/range.diff",
  ],
  opencode: (path) => [{ name: "read", input: { filePath: path } }, "read on …/range.diff"],
};

const PASSED = "### Verdict: PASSED";

/** As each CLI reports it, codex in its file of the session; opencode does not report it. */
const MODELS: Readonly<Record<string, unknown>> = {
  claude: expect.stringMatching(/^claude-/u),
  codex: "gpt-5-codex",
  copilot: "mock-model",
  gemini: "gemini-2.5-flash",
  opencode: undefined,
};

/** A file that is neither in the clone nor in the folder of the turn. */
function outside(drive: Drive): string {
  const folder = join(drive.directory, "outside");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "range.diff"), "+ a line\n");
  return join(folder, "range.diff");
}

/** Has the model make these calls about the file, one after the other, and then give its verdict. */
function plays(drive: Drive, call: (path: string) => readonly Call[]): string {
  const path = outside(drive);
  const tools = call(path).map((each) => ({ text: "I will.", tools: [each] }));
  drive.model.script([...tools, { text: PASSED }]);
  return path;
}

for (const cli of CLIS) {
  test(`${cli}: reports a refused call, and the turn continues`, async () => {
    const { shell } = driverOf(cli);
    const refused = (path: string) => REFUSED[cli]?.(path)[0] ?? shell("false");
    await using drive = await Drive.start(cli, [{ text: PASSED }]);
    const path = plays(drive, (at) => [refused(at), shell("true")]);
    const outcome = await drive.turn({ role: "reviewer" });
    expect(outcome).toMatchObject({ kind: "ended", text: PASSED });
    expect(outcome.denials).toHaveLength(1);
    expect(refusedWords(outcome.denials ?? [])).toBe(REFUSED[cli]?.(path)[1]);
  });

  test(`${cli}: accepts a verdict on a change only if the engine could read it`, async () => {
    const { shell } = driverOf(cli);
    // codex does not report the input of a refused call, so it fails to read a missing file.
    const unread = (path: string) =>
      cli === "codex" ? shell(`cat ${path}.gone`) : (REFUSED[cli]?.(path)[0] ?? shell("false"));
    await using drive = await Drive.start(cli, [{ text: PASSED }]);
    const path = plays(drive, (at) => [unread(at), shell("true")]);
    const range = cli === "codex" ? `${path}.gone` : path;
    const asked = { role: "reviewer", purpose: "review-commit", range } as const;
    expect(await drive.turn(asked)).toMatchObject({ kind: "failed", failure: "unseen" });

    drive.model.script([{ text: PASSED }]);
    expect(await drive.turn(asked)).toMatchObject({ kind: "failed", failure: "unseen" });

    drive.model.script([Drive.shell(cli, "git show HEAD"), { text: PASSED }]);
    expect(await drive.turn(asked)).toMatchObject({ kind: "ended", model: MODELS[cli] });
  });
}
