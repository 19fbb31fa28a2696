import { join } from "node:path";
import { clearClones } from "../../actions/move/clear-clones.ts";
import { doStep } from "../../actions/move/do-step.ts";
import { HandoverAsk, talkLine, type HandoverAnswer } from "../../actions/move/handover-talk.ts";
import { lookAtSide } from "../../actions/move/look-at-side.ts";
import type { OwnSide } from "../../actions/move/own-side.ts";
import { packHome } from "../../actions/move/pack-home.ts";
import { unpackHome } from "../../actions/move/unpack-home.ts";
import { EXIT } from "../../base/exit-code.ts";
import { need } from "../../base/fatal.ts";
import { MIRROR_REQUEST_BYTES_MAX } from "../../base/limits.ts";
import { fail, ok } from "../../base/result.ts";
import { jsonOf } from "../../base/words/json-text.ts";
import { homeAt } from "../../fs-protocol/home/home.ts";
import { standardStream } from "../../host/system/standard-stream.ts";
import type { Cli, Outcome } from "../../terminal/cli.ts";
import { sessionsDirectory } from "../../workspace/sessions.ts";
import { Usage } from "../../workspace/usage.ts";
import { ownPlace } from "./own-place.ts";

/** `wisp far handover`: looks at this side of a move, or does one step of it, as standard input asks. */
export async function handover(cli: Cli, id: string): Promise<Outcome> {
  const { program } = need(ownPlace(cli));
  const { firstLine, send } = standardStream();
  const line = await firstLine(MIRROR_REQUEST_BYTES_MAX);
  const asked = HandoverAsk.safeParse(line.ok ? jsonOf(line.value) : undefined);
  const isName = /^[^./][^/]*$/u.test(id);
  if (!asked.success || !isName) {
    return fail(Usage({ problem: "the first line asks nothing about a move" }));
  }
  const { name, what } = asked.data;
  const { repository } = program;
  const home = homeAt(join(sessionsDirectory(repository), id));
  const side: OwnSide = { name, isKept: false, id, repository, home };
  await send(Buffer.from(talkLine(await answer(cli, side, what))));
  return ok(EXIT.ok);
}

async function answer(cli: Cli, side: OwnSide, what: HandoverAsk["what"]): Promise<HandoverAnswer> {
  switch (what.kind) {
    case "look": {
      const { found, files } = await lookAtSide(cli.host, side, what.files);
      return { kind: "looked", found, files };
    }
    case "step":
      return { kind: "stepped", isDone: await doStep(cli, side, what) };
    case "pack":
      return { kind: "packed", path: await packHome(cli, side, what.id) };
    case "unpack": {
      const { id: move, path } = what;
      return { kind: "stepped", isDone: await unpackHome(cli, side, { move, path }) };
    }
    case "clear":
      return { kind: "cleared", held: await clearClones(cli, side, what.known) };
  }
}
