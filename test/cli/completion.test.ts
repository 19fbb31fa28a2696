import { execFile } from "node:child_process";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { COST_BY, COMPLETION_SHELLS, type CompletionShell } from "../../src/base/choices.ts";
import { ROLES } from "../../src/base/role.ts";
import { runsHere } from "../rig/runs-here.ts";
import { WispRig } from "./wisp-rig.ts";

const execute = promisify(execFile);

const FINDINGS = ["COR-7f3a91", "BUG-40c2d8"] as const;

let rig: WispRig;
let repository = "";
let bin = "";
beforeAll(async () => {
  rig = await WispRig.create();
  repository = await rig.repository("project", {
    ".wisp/config.yaml": "engine: { command: [./agent.sh] }\n",
    "agent.sh": "#!/bin/sh\n",
    "request.md": "## Milestone: One\n\n- [ ] Say hello\n",
  });
  for (const branch of ["invoices", "importer"]) {
    const argv = ["start", "request.md", "--no-up", "--again", "--branch", branch];
    expect(await rig.run(argv, { cwd: repository })).toMatchObject({ code: 0 });
  }
  const home = join(repository, ".wisp", "sessions", "invoices");
  await writeFile(join(home, "REVIEWS.md"), `- ${FINDINGS[0]} open blocking\n`);
  await writeFile(join(home, "BUGS.md"), `- ${FINDINGS[1]} open\n`);
  bin = join(rig.root, "bin");
  await mkdir(bin);
  const script = `#!/bin/sh\nexec '${process.execPath}' '${rig.packaged("dist", "wisp.js")}' "$@"\n`;
  await writeFile(join(bin, "wisp"), script);
  await chmod(join(bin, "wisp"), 0o755);
});
afterAll(() => rig[Symbol.asyncDispose]());

/** The words that `wisp complete` offers. */
async function offered(...words: readonly string[]): Promise<readonly string[]> {
  const { code, stdout, stderr } = await rig.run(["complete", "--", ...words], {
    cwd: repository,
  });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => line.split("\t")[0] ?? "");
}

test("commands are completed by their beginning, and hidden ones are not", async () => {
  expect(await offered("sta")).toEqual(["start", "status"]);
  expect(await offered("findings", "d")).toEqual(["dismiss"]);
  expect(await offered("sup")).toEqual([]);
  expect(await offered("compl")).toEqual(["completion"]);
});

test.each([
  [
    ["status", ""],
    ["importer", "invoices"],
  ],
  [["status", "inv"], ["invoices"]],
  [["why", "--session", "im"], ["importer"]],
  [["cost", "--by", ""], COST_BY],
  [
    ["cost", "--by", "=", "m"],
    ["milestone", "model"],
  ],
  [["cost", "invoices", "--b"], ["--by"]],
  [
    ["restart", ""],
    [...ROLES, "importer", "invoices"],
  ],
  [["restart", "tester", "te"], []],
  [["attach", "invoices", "b"], ["builder"]],
  [["logs", "su"], ["supervisor"]],
  [["findings", "show", ""], FINDINGS],
  [["findings", "dismiss", "COR"], ["COR-7f3a91"]],
  [["why", "BUG"], ["BUG-40c2d8"]],
  [["help", "exit"], ["exit-codes"]],
  [["completion", "z"], ["zsh"]],
  [["init", "--template", "s"], ["strict"]],
  [["start", "req"], []],
  [["report", "--html", ""], []],
  [
    ["start", "request.md", "--engine", "c"],
    ["claude", "codex", "copilot"],
  ],
  [["no-such-command", "--no-such-option", ""], []],
] as const)("%j is completed by %j", async (words, expected) => {
  expect([...(await offered(...words))].sort()).toEqual([...expected].sort());
});

test("a place to run is completed by the executors of the person's own settings, and by kinds", async () => {
  const settings = join(rig.root, "settings");
  await mkdir(join(settings, "wisp"), { recursive: true });
  const box = "executors:\n  build-box: { kind: ssh, host: box }\n";
  await writeFile(join(settings, "wisp", "config.yaml"), box);
  const asked = ["complete", "--", "start", "request.md", "--on", ""];
  const env = { XDG_CONFIG_HOME: settings };
  const named = await rig.run(asked, { cwd: repository, env });
  expect(named.stdout).toBe("build-box\nhere\nlocal\nslurm\nsprites\n");
  await writeFile(join(settings, "wisp", "config.yaml"), "executors: [broken\n");
  const broken = await rig.run(asked, { cwd: repository, env });
  expect(broken).toMatchObject({ code: 0, stdout: "here\nlocal\nslurm\nsprites\n", stderr: "" });
});

test("an option is offered once, with what it does", async () => {
  const { stdout } = await rig.run(["complete", "--", "status", "--j"], { cwd: repository });
  expect(stdout).toBe("--json\tprint one JSON object, for programs\n");
  expect(await offered("status", "--json", "--j")).toEqual([]);
});

test("outside a repository, and where the sessions cannot be read, nothing is offered or said", async () => {
  const outside = await rig.run(["complete", "--", "status", ""], { cwd: rig.root });
  expect(outside).toMatchObject({ code: 0, stdout: "", stderr: "" });
  const broken = await rig.repository("broken", { ".wisp/sessions": "a file\n" });
  const said = await rig.run(["complete", "--", "status", ""], { cwd: broken });
  expect(said).toMatchObject({ code: 0, stdout: "", stderr: "" });
});

/** How each shell says what it would offer for a line. */
const ASKED: Readonly<Record<CompletionShell, (line: string) => readonly string[]>> = {
  bash: (line) => [
    ...["--norc", "-c"],
    `source <(wisp completion bash); COMP_WORDS=(${line}); [[ '${line}' == *' ' ]] && COMP_WORDS+=(''); ` +
      `COMP_CWORD=$(( \${#COMP_WORDS[@]} - 1 )); complete -p wisp >/dev/null && _wisp && printf '%s\\n' "\${COMPREPLY[@]}"`,
  ],
  // The system of completion needs a terminal: the function is called as that would, and says what it is given.
  zsh: (line) => [
    ...["-f", "-c"],
    `compdef() { : }; source <(wisp completion zsh); _files() { : }; ` +
      `_describe() { print -rl -- "\${(@)\${(P)@[-1]}%%:*}" }; ` +
      `words=(${line}); [[ '${line}' == *' ' ]] && words+=(''); CURRENT=$#words; _wisp`,
  ],
  fish: (line) => ["--no-config", "-c", `wisp completion fish | source; complete -C '${line}'`],
};

describe.each(COMPLETION_SHELLS)("in %s", (shell) => {
  const isHere = runsHere([shell, "--version"]);

  test.skipIf(!isHere).each([
    ["wisp sta", ["start", "status"]],
    ["wisp status in", ["invoices"]],
    ["wisp cost --by m", ["milestone", "model"]],
    ["wisp findings show ", [...FINDINGS]],
  ])("%j is completed by %j", async (line, expected) => {
    const env = {
      PATH: [bin, dirname(process.execPath), "/usr/bin", "/bin"].join(delimiter),
      HOME: join(rig.root, "home"),
      TERM: "dumb",
    };
    const { stdout } = await execute(shell, ASKED[shell](line), { cwd: repository, env });
    const words = stdout.split("\n").flatMap((text) => text.split("\t")[0] || []);
    expect(words.sort()).toEqual(expected.toSorted());
  });
});
