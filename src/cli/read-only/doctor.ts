import { EXIT } from "../../base/exit-code.ts";
import { ok } from "../../base/result.ts";
import { findRepository } from "../../git/repository/repository.ts";
import { gitContext } from "../../workspace/world.ts";
import type { Cli, Outcome } from "../../terminal/cli.ts";
import type { Check, CheckStatus } from "../../actions/doctor/doctor-check.ts";
import { machineChecks } from "../../actions/doctor/doctor-machine.ts";
import { repositoryChecks } from "../../actions/doctor/doctor-repository.ts";
import { readSettings } from "../../workspace/settings/read-settings.ts";
import { showView } from "../../terminal/show-view.ts";
import { cleanSpan, row, span } from "../../views/rows/row.ts";
import { table, type Cell } from "../../views/rows/table.ts";
import type { Tone } from "../../base/words/sentence.ts";

/** What `wisp doctor --json` prints; fields are added, never renamed or removed. */
export interface DoctorView {
  readonly schema: "wisp.doctor/1";
  /** Whether nothing fails. */
  readonly isFit: boolean;
  readonly checks: readonly Check[];
}

/** `wisp doctor`: checks the machine and the repository and changes nothing; exits with 1 when a check fails. */
export async function doctor(
  cli: Cli,
  { json, probeSecrets }: { readonly json: boolean; readonly probeSecrets: boolean },
): Promise<Outcome> {
  const machine = await machineChecks(cli);
  // Without git there is no repository to check, and one line says so.
  const hasGit = machine.every(({ name, status }) => name !== "git" || status !== "fail");
  const checks = [
    ...machine,
    ...(hasGit ? await repositoryChecks(cli) : []),
    ...(probeSecrets ? await secretChecks(cli) : []),
  ];
  const isFit = checks.every(({ status }) => status !== "fail");
  const view: DoctorView = { schema: "wisp.doctor/1", isFit, checks };
  showView(cli.terminal, { json, view, rows: () => table(checks.map(cellsOf), [{ widthMin: 4 }]) });
  return ok(isFit ? EXIT.ok : EXIT.failure);
}

/** With the repository's settings, if they can be read. */
async function secretChecks(cli: Cli): Promise<readonly Check[]> {
  const { probeSecrets } = await import("../../actions/doctor/probe-secrets.ts");
  const found = await findRepository(gitContext(cli), cli.cwd);
  const directory = found.ok ? found.value.directory : cli.cwd;
  const settings = readSettings(cli.host.files, directory);
  return settings.ok ? probeSecrets(cli, settings.value.sandbox) : [];
}

const TONES: Readonly<Record<CheckStatus, Tone>> = {
  ok: "good",
  warn: "ask",
  fail: "bad",
  skip: "faint",
};

function cellsOf({ status, what, fix }: Check): readonly Cell[] {
  const fixCells =
    fix === undefined ? [] : row(" ", span("faint", "→"), " ", cleanSpan("plain", fix));
  return [span(TONES[status], status), row(cleanSpan("plain", what), ...fixCells)];
}
