import { EXIT } from "../../base/exit-code.ts";
import { need } from "../../base/fatal.ts";
import { MIRROR_REQUEST_BYTES_MAX } from "../../base/limits.ts";
import { fail, ok } from "../../base/result.ts";
import { jsonOf } from "../../base/words/json-text.ts";
import { standardStream } from "../../host/system/standard-stream.ts";
import { MirrorRequest } from "../../remote/mirror/frame.ts";
import { sendOnce, serveMirror } from "../../remote/mirror/serve-mirror.ts";
import type { Cli, Outcome } from "../../terminal/cli.ts";
import { findSession } from "../../workspace/find-session.ts";
import { Usage } from "../../workspace/usage.ts";
import { ownPlace } from "./own-place.ts";

/** `wisp far mirror`: sends a session, once or as it grows, over standard output to who asked on standard input. */
export async function sendSession(
  cli: Cli,
  session: string,
  { once = false }: { readonly once?: boolean },
): Promise<Outcome> {
  need(ownPlace(cli));
  const { firstLine, send, gone } = standardStream();
  const line = await firstLine(MIRROR_REQUEST_BYTES_MAX);
  const parsed = MirrorRequest.safeParse(line.ok ? jsonOf(line.value) : undefined);
  if (!parsed.success)
    return fail(Usage({ problem: "the first line is not a follower's request" }));
  const found = need(findSession(cli.host.files, cli.cwd, session));
  if (once) await sendOnce(cli, found, { request: parsed.data, send });
  else await serveMirror(cli, found, { request: parsed.data, send, gone });
  return ok(EXIT.ok);
}
