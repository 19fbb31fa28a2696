import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { temporaryDirectory } from "../../host/system/this-machine.ts";
import { need } from "../../base/fatal.ts";
import { EXIT } from "../../base/exit-code.ts";
import { ok } from "../../base/result.ts";
import { CODING_CLIS } from "../../engines/coding-clis.ts";
import type { CodingCli } from "../../engines/coding-cli.ts";
import { cleanText } from "../../base/words/clean-text.ts";
import { askProgram } from "../../host/processes/ask-program.ts";
import { findExecutable } from "../../host/processes/find-executable.ts";
import type { Cli, Outcome } from "../../terminal/cli.ts";
import { createPaint } from "../../terminal/paint.ts";
import { probeEngine, type EngineProbe } from "../../actions/doctor/probe-engine.ts";

/** What is known of one coding CLI. */
interface EngineView {
  readonly name: string;
  /** Absolute path of its executable; null: not installed. */
  readonly path: string | null;
  readonly version: string | null;
  /** Left out where nobody asked for it, or there is nothing to ask. */
  readonly probe?: EngineProbe;
  /** How it is installed. */
  readonly install: string;
}

const VERSION_TIMEOUT_MS = 20_000;

/** `wisp engines`: which coding CLIs are installed, and, when probed, whether each takes a turn and reads its folder. */
export async function engines(
  cli: Cli,
  options: { readonly probe: boolean; readonly json: boolean },
): Promise<Outcome> {
  const scratch = join(temporaryDirectory(), `wisp-engines-${randomBytes(8).toString("hex")}`);
  need(cli.host.files.makeDirectory(scratch));
  // All at once: each mostly waits for its provider.
  const views = await Promise.all(
    CODING_CLIS.map((engine) => viewOf(cli, engine, { scratch, probe: options.probe })),
  );
  need(cli.host.directories.removeTree(scratch));
  const text = options.json
    ? JSON.stringify({ schema: "wisp.engines/1", engines: views }, undefined, 2)
    : table(cli, views);
  cli.terminal.out(text);
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

function table({ terminal }: Cli, views: readonly EngineView[]): string {
  const paint = createPaint(terminal.outHasColors);
  const rows = views.map((view) => {
    const name = view.name.padEnd(10);
    if (view.path === null) return paint.faint(`${name}not installed: ${view.install}`);
    const version = cleanText(view.version ?? "unknown version", ONE_LINE).padEnd(12);
    const path = cleanText(view.path, ONE_LINE);
    return `${paint.strong(name)}${version}${path}${probeText(view)}`;
  });
  return rows.join("\n");

  function probeText({ probe }: EngineView): string {
    if (probe === undefined) return "";
    const reason = `\n${" ".repeat(10)}${paint.tone("bad", cleanText(probe.reason ?? "", ONE_LINE))}`;
    if (!probe.works) return probe.answers ? `${paint.tone("good", "  answers")}${reason}` : reason;
    return paint.tone("good", "  answers; reads the turn's folder");
  }
}

const ONE_LINE = { charsMax: 400, lines: "one" } as const;
