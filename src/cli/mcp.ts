import { ok } from "../base/result.ts";
import { standardLines } from "../host/standard-lines.ts";
import { serve } from "../mcp/serve.ts";
import type { Cli, Outcome } from "./cli.ts";
import { EXIT } from "./exit-codes.ts";
import { releaseAllIdle } from "./hibernate.ts";
import { createActions } from "./mcp-actions.ts";
import { shown } from "./explanation.ts";

/** `wisp mcp`: the sessions of this repository for a model, by the Model Context Protocol on standard streams. */
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
