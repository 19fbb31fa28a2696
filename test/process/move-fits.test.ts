import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startGated } from "../executors/gated-session.ts";
import { AGENT, processSession, WISP, type ProcessSession } from "../rig/process-session.ts";
import { placeIn } from "./far-files.ts";

const SCRIPT = "tools/agent.sh";

function gatesFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "wisp-gates-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, "gates");
}

/** Makes the engine a script of the repository, as the README shows one. */
function useScript({ root, repository, write, git }: ProcessSession, isCommitted: boolean): void {
  const words = [process.execPath, AGENT, join(root, "scenario.mjs")];
  const command = words.map((word) => `'${word}'`).join(" ");
  write(SCRIPT, `#!/bin/sh\nexec ${command}\n`);
  chmodSync(join(repository, SCRIPT), 0o755);
  write(
    ".wisp/config.yaml",
    `engine: { command: [./${SCRIPT}] }\nsandbox: none\nmcp: { playwright: false }\n`,
  );
  git("add", ".wisp", ...(isCommitted ? [SCRIPT] : []));
  git("commit", "-qm", "Use a script");
}

test("a session whose engine is a script of the repository moves to a place and back, and runs the script that is there", async () => {
  await using begun = await startGated({
    gates: gatesFolder(),
    on: "here",
    prepare: (rig) => {
      useScript(rig, true);
    },
  });
  const { rig, home, gate, isWholeHere } = begun;
  await gate("One").begun();
  const there = await rig.wisp("move", "words", "local");
  expect({ code: there.code, said: there.stderr }).toMatchObject({ code: 0 });
  const script = join(placeIn(home).root, "repository", SCRIPT);
  await gate("One").begun(2);
  expect(rig.leftovers().filter((line) => line.includes(script)).length).toBeGreaterThan(0);
  gate("One").open();
  await gate("Two").begun();
  const back = await rig.wisp("move", "words", "here");
  expect({ code: back.code, said: back.stderr }).toMatchObject({ code: 0 });
  gate("Two").open();
  await isWholeHere();
});

test("a session whose engine is not in the commit that it started from stays where it is, and says why", async () => {
  await using begun = await startGated({
    gates: gatesFolder(),
    on: "here",
    prepare: (rig) => {
      useScript(rig, false);
    },
  });
  const { rig, home, gate } = begun;
  await gate("One").begun();
  // Another machine would not have it, either.
  rmSync(join(rig.repository, SCRIPT));
  const moved = await rig.wisp("move", "words", "local");
  expect(moved.code).toBe(1);
  expect(moved.stderr).toContain("tools/agent.sh, which this session runs, is not in the commit");
  expect(existsSync(join(home, "place.json"))).toBe(false);
});

const SANDBOX = { network: true, commands: true, deny: [], allow: [], write: [], domains: [] };

test.each([
  ["bwrap", "bubblewrap", "bubblewrap does not work (bwrap: Unknown option --tmpfs)"],
  ["git", "none", "git 2.20.1 is older than 2.30"],
])(
  "a place says, before a session moves there, that its %s is not enough",
  async (program, kind, trouble) => {
    await using session = processSession({});
    const root = join(session.root, "place");
    const [bin, repository] = [join(root, "bin"), join(root, "repository")];
    for (const folder of [bin, repository]) mkdirSync(folder, { recursive: true });
    const old = `#!/bin/sh\nfor word; do [ "$word" = --version ] && echo "git version 2.20.1" && exit 0; done\necho "bwrap: Unknown option --tmpfs" >&2; exit 1\n`;
    writeFileSync(join(bin, program), old);
    chmodSync(join(bin, program), 0o755);
    const path = `${bin}:${session.env["PATH"] ?? ""}`;
    const far = {
      version: 1,
      digest: "d",
      node: process.execPath,
      entry: WISP,
      repository,
      state: root,
      path,
    };
    writeFileSync(join(root, "far.json"), JSON.stringify(far));
    const asked = { version: 1, programs: ["sh", "no-such-agent"], sandbox: { ...SANDBOX, kind } };
    const answer = execFileSync(process.execPath, [WISP, "far", "fit"], {
      ...{ cwd: root, input: `${JSON.stringify(asked)}\n`, encoding: "utf8" },
      env: { ...session.env, PATH: path, WISP_PLACE: root },
    });
    expect(JSON.parse(answer)).toEqual({ missing: ["no-such-agent"], trouble });
  },
);
