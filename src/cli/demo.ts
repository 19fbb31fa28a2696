import { temporaryDirectory } from "../host/this-machine.ts";
import { randomBytes } from "node:crypto";
import { join, resolve } from "node:path";
import type { FileFailure } from "../base/files.ts";
import type { Environment, SpawnFailure } from "../base/processes.ts";
import type { GitFailure } from "../base/repo.ts";
import { fail, ok, type Result } from "../base/result.ts";
import { userEnvironment } from "../git/git-environment.ts";
import { gitIn } from "../git/git.ts";
import type { Cli, Outcome } from "./cli.ts";
import { createSession } from "./create-session.ts";
import { DEMO_REQUEST, makeDemoProject } from "./demo-project.ts";
import { EXIT } from "./exit-codes.ts";
import type { DemoDirectory } from "./failures.ts";
import { createPaint } from "./paint.ts";
import { draftSession } from "./session-draft.ts";
import { shellWord } from "./shell-word.ts";
import { runNew } from "./up.ts";

/** Where the parts of a demo are. */
interface DemoPlace {
  readonly directory: string;
  readonly project: string;
  /** The branch as it came out, checked out to be tested. */
  readonly result: string;
}

/**
 * `wisp demo`: a whole session on a small project. The engine plays a recording in place of a model;
 * everything else is what happens in any session. At the end the project's tests are run on the branch.
 */
export async function demo(
  given: Cli,
  options: { readonly directory: string | undefined },
): Promise<Outcome> {
  const place = choosePlace(given, options.directory);
  if (!place.ok) return place;
  const { directory, project } = place.value;
  const cli = { ...given, cwd: project, env: demoEnvironment(given.env, directory) };
  given.terminal.err(`The demo is in ${directory}`);
  const made = await makeDemoProject(cli, project);
  if (!made.ok) return made;
  const draft = await draftSession(cli, { request: DEMO_REQUEST, branch: undefined });
  if (!draft.ok) return draft;
  const created = await createSession(cli, draft.value);
  if (!created.ok) return created;
  const ran = await runNew(cli, created.value, { detach: false, plain: true });
  if (!ran.ok || ran.value !== EXIT.ok) return ran;
  const tested = await testResult(cli, place.value, created.value.session.branch);
  if (!tested.ok) return tested;
  sayTested(cli, place.value, tested.value);
  return ok(tested.value.isPassed ? EXIT.ok : EXIT.failure);
}

function choosePlace(
  { host, cwd }: Cli,
  given: string | undefined,
): Result<DemoPlace, DemoDirectory | FileFailure> {
  const random = `wisp-demo-${randomBytes(4).toString("hex")}`;
  const directory = given === undefined ? join(temporaryDirectory(), random) : resolve(cwd, given);
  const kind = host.directories.kindOf(directory);
  const names = kind === "directory" ? host.files.list(directory) : ok([]);
  if (!names.ok) return names;
  const isFree = names.value.length === 0 && (kind === undefined || kind === "directory");
  if (!isFree) return fail({ kind: "demo-directory", directory });
  const made = host.files.makeDirectory(directory);
  if (!made.ok) return made;
  const [project, result] = [join(directory, "project"), join(directory, "result")];
  return ok({ directory, project, result });
}

/**
 * Everything of the demo stays in its directory. Its author is its own, and neither a hook of git nor a
 * test runner that may be around it has a part in it.
 */
function demoEnvironment(env: Environment, directory: string): Environment {
  const foreign = /^(?:GIT_|NODE_TEST_CONTEXT$)/;
  const kept = Object.entries(env).filter(([name]) => !foreign.test(name));
  return { ...Object.fromEntries(kept), XDG_STATE_HOME: join(directory, "state") };
}

interface Tested {
  readonly isPassed: boolean;
  readonly passed: string;
  readonly outputPath: string;
}

async function testResult(
  { host, env, nodePath }: Cli,
  { directory, project, result }: DemoPlace,
  branch: string,
): Promise<Result<Tested, FileFailure | GitFailure | SpawnFailure>> {
  const git = gitIn(directory, userEnvironment(env, directory));
  const clone = ["clone", "--quiet", "--no-hardlinks", "--branch", branch, "--", project, result];
  const cloned = await git.must(clone);
  if (!cloned.ok) return cloned;
  const outputPath = join(directory, "result-tests.txt");
  const run = await host.processes.run({
    argv: [nodePath, "--test", "--test-reporter=tap"],
    cwd: result,
    env,
    stdin: "",
    stdoutPath: outputPath,
    stderrPath: outputPath,
    timeoutMs: 60_000,
    runId: `${directory}#result`,
    signal: new AbortController().signal,
  });
  if (!run.ok) return run;
  const output = host.files.read(outputPath);
  if (!output.ok) return output;
  const text = Buffer.from(output.value ?? []).toString("utf8");
  const passed = /^# pass (\d+)$/m.exec(text)?.[1] ?? "0";
  const isPassed = run.value.kind === "exited" && run.value.exitCode === 0 && passed !== "0";
  return ok({ isPassed, passed, outputPath });
}

function sayTested({ terminal }: Cli, place: DemoPlace, tested: Tested): void {
  const paint = createPaint(terminal.outHasColors);
  const { isPassed, passed, outputPath } = tested;
  const verdict = isPassed
    ? paint.tone("good", `The project's tests pass on the branch: ${passed} of ${passed}.`)
    : paint.tone("bad", `The project's tests fail on the branch: see ${outputPath}`);
  const rows = [
    ["project", `cd ${shellWord(place.project)}`],
    ["its branch", `checked out in ${place.result}`],
    ["your turn", "wisp start <request.md>, in a repository of yours"],
  ] as const;
  const lines = rows.map(([name, value]) => `  ${paint.faint(name.padEnd(10))}  ${value}`);
  terminal.out(["", verdict, ...lines].join("\n"));
}
