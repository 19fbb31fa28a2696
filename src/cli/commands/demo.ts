import { randomBytes } from "node:crypto";
import { join, resolve } from "node:path";
import { temporaryDirectory } from "../../host/system/this-machine.ts";
import { CannotGoOn, need } from "../../base/fatal.ts";
import { EXIT } from "../../base/exit-code.ts";
import { refusal } from "../../base/failure.ts";
import { shown } from "../../base/words/shown.ts";
import type { Environment } from "../../base/ports/processes.ts";
import { ok } from "../../base/result.ts";
import { userEnvironment } from "../../git/command/git-environment.ts";
import { gitIn } from "../../git/command/git.ts";
import type { Cli, Outcome } from "../../terminal/cli.ts";
import { createSession } from "../../actions/start/create-session.ts";
import { DEMO_REQUEST, makeDemoProject } from "../../actions/init/demo-project.ts";
import { showRows } from "../../terminal/show-view.ts";
import { row, span } from "../../views/rows/row.ts";
import { namedRows, type Fact } from "../../views/rows/table.ts";
import { draftSession } from "../../actions/start/session-draft.ts";
import { shellWord } from "../../base/words/shell-word.ts";
import { runNew } from "./up.ts";

/** The directory for the demo is not empty. */
export const DemoDirectory = refusal(
  "demo-directory",
  EXIT.usage,
  ({ directory }: { readonly directory: string }) => [
    `${shown(directory)} already exists and is not empty.`,
    "Name another directory with --dir, or leave --dir out to create a new one.",
  ],
);

/** Where the parts of a demo are. */
interface DemoPlace {
  readonly directory: string;
  readonly project: string;
  /** The resulting branch, checked out to be tested. */
  readonly result: string;
}

/**
 * `wisp demo`: a whole session on a small project. The engine plays back a recording instead of calling a model;
 * everything else is as in any session. At the end the project's tests run on the branch.
 */
export async function demo(
  given: Cli,
  options: { readonly directory: string | undefined },
): Promise<Outcome> {
  const place = choosePlace(given, options.directory);
  const { directory, project } = place;
  const cli = { ...given, cwd: project, env: demoEnvironment(given.env, directory) };
  given.terminal.err(`The demo is in ${directory}`);
  await makeDemoProject(cli, project);
  const draft = await draftSession(cli, { request: DEMO_REQUEST, branch: undefined });
  const created = await createSession(cli, draft);
  const ran = await runNew(cli, created, { detach: false, plain: true });
  if (!ran.ok || ran.value !== EXIT.ok) return ran;
  const tested = await testResult(cli, place, created.session.branch);
  sayTested(cli, place, tested);
  return ok(tested.isPassed ? EXIT.ok : EXIT.failure);
}

function choosePlace({ host, cwd }: Cli, given: string | undefined): DemoPlace {
  const random = `wisp-demo-${randomBytes(4).toString("hex")}`;
  const directory = given === undefined ? join(temporaryDirectory(), random) : resolve(cwd, given);
  const kind = host.directories.kindOf(directory);
  const names = need(kind === "directory" ? host.files.list(directory) : ok([]));
  const isFree = names.length === 0 && (kind === undefined || kind === "directory");
  if (!isFree) throw new CannotGoOn(DemoDirectory({ directory }));
  need(host.files.makeDirectory(directory));
  const [project, result] = [join(directory, "project"), join(directory, "result")];
  return { directory, project, result };
}

/**
 * The whole demo stays in its directory. It commits as an author of its own, and neither git hooks nor a
 * surrounding test runner take part in it.
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
): Promise<Tested> {
  const git = gitIn(directory, userEnvironment(env, directory));
  const clone = ["clone", "--quiet", "--no-hardlinks", "--branch", branch, "--", project, result];
  need(await git.must(clone));
  const outputPath = join(directory, "result-tests.txt");
  const run = need(
    await host.processes.run({
      argv: [nodePath, "--test", "--test-reporter=tap"],
      cwd: result,
      env,
      stdin: "",
      stdoutPath: outputPath,
      stderrPath: outputPath,
      timeoutMs: 60_000,
      runId: `${directory}#result`,
      signal: new AbortController().signal,
    }),
  );
  const output = need(host.files.read(outputPath));
  const text = Buffer.from(output ?? []).toString("utf8");
  const passed = /^# pass (\d+)$/m.exec(text)?.[1] ?? "0";
  const isPassed = run.kind === "exited" && run.exitCode === 0 && passed !== "0";
  return { isPassed, passed, outputPath };
}

function sayTested({ terminal }: Cli, place: DemoPlace, tested: Tested): void {
  const { isPassed, passed, outputPath } = tested;
  const verdict = isPassed
    ? span("good", `The project's tests pass on the branch: ${passed} of ${passed}.`)
    : span("bad", `The project's tests fail on the branch: see ${outputPath}`);
  const facts: readonly Fact[] = [
    ["project", `cd ${shellWord(place.project)}`],
    ["its branch", `checked out in ${place.result}`],
    ["your turn", "wisp start <request.md>, in one of your repositories"],
  ];
  showRows(terminal, [row(""), row(verdict), ...namedRows(facts, { style: "faint" })]);
}
