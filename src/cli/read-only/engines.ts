import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { temporaryDirectory } from "../../host/system/this-machine.ts";
import { need } from "../../base/fatal.ts";
import { EXIT } from "../../base/exit-code.ts";
import { ok } from "../../base/result.ts";
import { CODING_CLIS } from "../../engines/coding-clis.ts";
import type { CodingCli } from "../../engines/coding-cli.ts";
import { findRepository } from "../../git/repository/repository.ts";
import { namedCommands, type NamedCommand } from "../../settings/config/named-commands.ts";
import { acpAgentsNamed, type NamedAgent } from "../../actions/settings/acp-agents-named.ts";
import { trustCommands } from "../../actions/start/trust-commands.ts";
import { readSettings } from "../../workspace/settings/read-settings.ts";
import { gitContext } from "../../workspace/world.ts";
import { shellWord } from "../../base/words/shell-word.ts";
import { askProgram } from "../../host/processes/ask-program.ts";
import { findExecutable } from "../../host/processes/find-executable.ts";
import type { Cli, Outcome } from "../../terminal/cli.ts";
import { showView } from "../../terminal/show-view.ts";
import { padCells } from "../../views/rows/cells.ts";
import { cleanSpan, row, span, type Row } from "../../views/rows/row.ts";
import { probeEngine, type EngineProbe } from "../../actions/doctor/probe-engine.ts";

/** What is known about one coding CLI, or about an agent for ACP that the repository's settings name. */
interface EngineView {
  /** `acp` for such an agent. */
  readonly name: string;
  /** For an agent for ACP: its command line, and the setting that names it. */
  readonly argv?: readonly string[];
  readonly key?: string;
  /** Absolute path of its executable; null if it is not installed. */
  readonly path: string | null;
  readonly version: string | null;
  /** Left out without `--probe`, or if it is not installed. */
  readonly probe?: EngineProbe;
  /** How it is installed; empty for an agent for ACP, which only its vendor knows. */
  readonly install: string;
}

/** What `wisp engines --json` prints; fields are added, never renamed or removed. */
export interface EnginesView {
  readonly schema: "wisp.engines/1";
  readonly engines: readonly EngineView[];
}

const VERSION_TIMEOUT_MS = 20_000;

/** `wisp engines`: which coding CLIs are installed, and, with `--probe`, whether each takes a turn and reads its folder. */
export async function engines(
  cli: Cli,
  options: { readonly probe: boolean; readonly json: boolean },
): Promise<Outcome> {
  const scratch = join(temporaryDirectory(), `wisp-engines-${randomBytes(8).toString("hex")}`);
  need(cli.host.files.makeDirectory(scratch));
  // In parallel: each mostly waits for its provider.
  const how = { scratch, probe: options.probe };
  const agents = await agentsHere(cli, options);
  const views = await Promise.all([
    ...CODING_CLIS.map((engine) => viewOf(cli, engine, how)),
    ...agents.map((agent, at) => viewOfAgent(cli, agent, { ...how, at })),
  ]);
  need(cli.host.directories.removeTree(scratch));
  const view: EnginesView = { schema: "wisp.engines/1", engines: views };
  showView(cli.terminal, { json: options.json, view, rows: () => views.flatMap(engineRows) });
  const isProbedWell = views.every(({ probe }) => probe?.works !== false);
  return ok(isProbedWell ? EXIT.ok : EXIT.failure);
}

async function viewOf(
  cli: Cli,
  { name, executable, install }: CodingCli,
  { scratch, probe }: { readonly scratch: string; readonly probe: boolean },
): Promise<EngineView> {
  const path = findExecutable(executable, cli);
  if (path === undefined) return { name, path: null, version: null, install };
  const version = await versionOf(cli, path);
  if (!probe) return { name, path, version, install };
  const taken = await probeEngine(cli, { name, argv: [path], directory: join(scratch, name) });
  return { name, path, version, probe: taken, install };
}

interface Agents {
  readonly repository: string;
  readonly agents: readonly NamedAgent[];
  readonly commands: readonly NamedCommand[];
}

/** The agents for ACP in the settings of the repository, if there is one; none of them is started. */
async function agentsIn(cli: Cli): Promise<Agents | undefined> {
  const repository = await findRepository(gitContext(cli), cli.cwd);
  if (!repository.ok) return undefined;
  const { directory } = repository.value;
  // What is wrong with them is told by every command that needs them, and by wisp doctor.
  const settings = readSettings(cli.host.files, directory);
  if (!settings.ok) return undefined;
  const agents = acpAgentsNamed(settings.value);
  return { repository: directory, agents, commands: namedCommands(settings.value) };
}

/** The same, in a form in which they can be started: what a repository names runs only if a person lets it. */
async function agentsHere(
  cli: Cli,
  { probe, json }: { readonly probe: boolean; readonly json: boolean },
): Promise<readonly HereAgent[]> {
  const { repository = cli.cwd, agents = [], commands = [] } = (await agentsIn(cli)) ?? {};
  if (agents.length === 0) return [];
  const how = { isSure: false, isProgram: json, command: "wisp start <request> --yes" };
  const mayRun = probe && (await trustCommands(cli, { repository, commands }, how)) !== undefined;
  return agents.map((agent) => ({ ...agent, repository, mayRun }));
}

interface HereAgent extends NamedAgent {
  readonly repository: string;
  readonly mayRun: boolean;
}

async function viewOfAgent(
  cli: Cli,
  { key, argv, repository, mayRun, ...setting }: HereAgent,
  { scratch, at }: { readonly scratch: string; readonly at: number },
): Promise<EngineView> {
  const [executable = "", ...rest] = argv;
  const path = findExecutable(executable, { cwd: repository, env: cli.env });
  const view = { name: "acp", key, argv, path: path ?? null, version: null, install: "" };
  if (path === undefined || !mayRun) return view;
  const directory = join(scratch, `acp-${String(at)}`);
  const probe = await probeEngine(cli, {
    ...setting,
    name: "acp",
    argv: [path, ...rest],
    directory,
  });
  return { ...view, probe };
}

async function versionOf({ env, cwd }: Cli, path: string): Promise<string | null> {
  const answer = await askProgram([path, "--version"], { env, cwd, timeoutMs: VERSION_TIMEOUT_MS });
  const text = answer.kind === "exited" ? answer.stdout : "";
  return /\d+\.\d+\.\d+(?:[-+][\w.-]*\w)?/.exec(text)?.[0] ?? null;
}

const NAME_CELLS = 10;
const VERSION_CELLS = 12;

function engineRows({
  name,
  argv,
  key,
  path,
  version,
  install,
  probe,
}: EngineView): readonly Row[] {
  const padded = padCells(name, NAME_CELLS);
  const line = argv === undefined ? undefined : `${shownWords(argv)} (${key ?? ""})`;
  if (path === null) return [row(span("faint", `${padded}not installed: ${line ?? install}`))];
  const shown = padCells(clean(version ?? "unknown version"), VERSION_CELLS);
  const head =
    line === undefined
      ? row(span("strong", padded), shown, clean(path))
      : row(span("strong", padded), clean(line));
  if (probe === undefined) return [head];
  if (probe.works) return [[...head, span("good", "  answers; reads the turn's folder")]];
  const reason = row(" ".repeat(NAME_CELLS), span("bad", clean(probe.reason ?? "")));
  return [probe.answers ? [...head, span("good", "  answers")] : head, reason];
}

function shownWords(argv: readonly string[]): string {
  return argv.map((word) => shellWord(word)).join(" ");
}

function clean(text: string): string {
  return cleanSpan("plain", text).text;
}
