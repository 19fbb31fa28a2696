import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { temporaryDirectory } from "../../host/system/this-machine.ts";
import { need } from "../../base/fatal.ts";
import { EXIT } from "../../base/exit-code.ts";
import { ok } from "../../base/result.ts";
import { CODING_CLIS } from "../../engines/coding-clis.ts";
import type { CodingCli } from "../../engines/coding-cli.ts";
import { askProgram } from "../../host/processes/ask-program.ts";
import { findExecutable } from "../../host/processes/find-executable.ts";
import type { Cli, Outcome } from "../../terminal/cli.ts";
import { showView } from "../../terminal/show-view.ts";
import { padCells } from "../../views/rows/cells.ts";
import { cleanSpan, row, span, type Row } from "../../views/rows/row.ts";
import { probeEngine, type EngineProbe } from "../../actions/doctor/probe-engine.ts";

/** What is known about one coding CLI. */
interface EngineView {
  readonly name: string;
  /** Absolute path of its executable; null if it is not installed. */
  readonly path: string | null;
  readonly version: string | null;
  /** Left out without `--probe`, or if it is not installed. */
  readonly probe?: EngineProbe;
  /** How it is installed. */
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
  const views = await Promise.all(
    CODING_CLIS.map((engine) => viewOf(cli, engine, { scratch, probe: options.probe })),
  );
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
  const taken = await probeEngine(cli, { name, path, directory: join(scratch, name) });
  return { name, path, version, probe: taken, install };
}

async function versionOf({ env, cwd }: Cli, path: string): Promise<string | null> {
  const answer = await askProgram([path, "--version"], { env, cwd, timeoutMs: VERSION_TIMEOUT_MS });
  const text = answer.kind === "exited" ? answer.stdout : "";
  return /\d+\.\d+\.\d+(?:[-+][\w.-]*\w)?/.exec(text)?.[0] ?? null;
}

const NAME_CELLS = 10;
const VERSION_CELLS = 12;

function engineRows({ name, path, version, install, probe }: EngineView): readonly Row[] {
  const padded = padCells(name, NAME_CELLS);
  if (path === null) return [row(span("faint", `${padded}not installed: ${install}`))];
  const shown = padCells(clean(version ?? "unknown version"), VERSION_CELLS);
  const head = row(span("strong", padded), shown, clean(path));
  if (probe === undefined) return [head];
  if (probe.works) return [[...head, span("good", "  answers; reads the turn's folder")]];
  const reason = row(" ".repeat(NAME_CELLS), span("bad", clean(probe.reason ?? "")));
  return [probe.answers ? [...head, span("good", "  answers")] : head, reason];
}

function clean(text: string): string {
  return cleanSpan("plain", text).text;
}
