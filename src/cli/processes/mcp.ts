import { EXIT } from "../../base/exit-code.ts";
import { shown } from "../../base/words/shown.ts";
import { ok } from "../../base/result.ts";
import { standardLines } from "../../host/system/standard-lines.ts";
import { serve } from "../../mcp/serve.ts";
import type { Cli, Outcome } from "../../terminal/cli.ts";
import { releaseAllIdle } from "../../actions/up/hibernate.ts";
import { createActions } from "../../mcp/answers/mcp-actions.ts";

/** `wisp mcp`: serves this repository's sessions to a model over the Model Context Protocol, on standard streams. */
export async function mcp(cli: Cli, version: string): Promise<Outcome> {
  const served = serve(createActions(cli), {
    version,
    open: standardLines,
    onError: (message) => {
      cli.terminal.err(`wisp mcp: ${shown(message)}`);
    },
  });
  await Promise.all([served, releaseAllIdle(cli)]);
  return ok(EXIT.ok);
}
