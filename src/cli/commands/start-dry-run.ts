import { EXIT } from "../../base/exit-code.ts";
import { ok } from "../../base/result.ts";
import { ROLES } from "../../base/role.ts";
import { shown } from "../../base/words/shown.ts";
import { shellWord } from "../../base/words/shell-word.ts";
import { missingOf } from "../../actions/start/not-in-base.ts";
import { previewBranch } from "../../actions/start/choose-branch.ts";
import { requestWords } from "../../actions/start/request-words.ts";
import { refuseSameRequest } from "../../actions/start/same-request.ts";
import { draftSession } from "../../actions/start/session-draft.ts";
import { startView } from "../../actions/start/start-view.ts";
import { listedCommands } from "../../actions/start/trust-commands.ts";
import { verifyLine } from "../../actions/start/verify-line.ts";
import { engineLogins } from "../../actions/settings/engine-logins.ts";
import { loginLines } from "../../actions/settings/login-lines.ts";
import type { EngineSetting } from "../../fs-protocol/home/session-json.ts";
import type { Cli, Outcome } from "../../terminal/cli.ts";
import type { StartOptions } from "./start.ts";

/** The options that decide what a start would create. */
interface PreviewOptions extends Omit<StartOptions, "up" | "detach" | "plain" | "yes" | "record"> {
  /** The executor, if it would run elsewhere. */
  readonly on?: string | undefined;
}

/** `wisp start --dry-run`: checks everything as a real start would, and creates nothing. */
export async function previewStart(cli: Cli, options: PreviewOptions): Promise<Outcome> {
  const draft = await draftSession(cli, options);
  await refuseSameRequest(cli, draft, { ...options, path: options.request });
  const { repository, request, branch: wanted, settings, commands } = draft;
  const chosen = await previewBranch(cli, repository, { branch: wanted, slug: request.slug });
  const { id, branch } = chosen;
  // Of a session that would run elsewhere, the engines there count, and nothing there is asked.
  const logins = options.on === undefined ? await engineLogins(cli, settings.engines) : {};
  const { missing, notices } = await missingOf(cli, draft);
  if (options.json) {
    cli.terminal.out(
      JSON.stringify(startView(draft, { id, branch, logins, missing }), undefined, 2),
    );
    return ok(EXIT.ok);
  }
  const engines = ROLES.map((role) => `${role} ${engineWords(settings.engines[role])}`).join(", ");
  const { terminal } = cli;
  terminal.err(`Would create session ${id} on branch ${shellWord(branch)} at ${settings.base}`);
  terminal.err(verifyLine(settings.verify));
  terminal.err(`Engines: ${engines}`);
  for (const line of loginLines(logins)) terminal.err(line);
  if (commands.length > 0) terminal.err(listedCommands(commands));
  for (const line of requestWords(request)) terminal.err(line);
  for (const line of notices) terminal.err(line);
  if (options.on !== undefined) {
    terminal.err(`It would run on ${shown(options.on)}, which was not asked.`);
  }
  terminal.err("Nothing was created.");
  return ok(EXIT.ok);
}

/** `claude`, `claude with opus`, or `claude with sonnet, then claude with opus, then codex`. */
function engineWords({ name, model, attempts = [] }: EngineSetting): string {
  if (attempts.length === 0) return model === undefined ? name : `${name} with ${shown(model)}`;
  const makers = attempts.map((one) => {
    const of = one.engine ?? name;
    const named = one.model ?? (of === name ? model : undefined);
    return named === undefined ? of : `${of} with ${shown(named)}`;
  });
  return makers.join(", then ");
}
