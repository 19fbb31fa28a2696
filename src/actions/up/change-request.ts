import { createHash } from "node:crypto";
import { need } from "../../base/fatal.ts";
import { editKeeper } from "../../home/edit-keeper.ts";
import { requestInForce } from "../../home/shared-files.ts";
import { requestPath } from "../../fs-protocol/home/home.ts";
import type { HumanFold } from "../../session/state/fold-human.ts";
import { appendHuman, type HumanLogWriter } from "../../workspace/session/append-human.ts";
import type { FoundSession } from "../../workspace/sessions.ts";
import type { Request } from "../start/read-request.ts";
import { dropEditCopies } from "./drop-edit-copies.ts";

type NewRequest = Pick<Request, "bytes" | "plan">;

/**
 * The old text first, then the new one, then the record that names it, all under the lock of the record:
 * a command killed midway has changed nothing, because the text that the record names is restored.
 *
 * @param next returns the new request, from the one in force; undefined changes nothing
 * @returns whether anything changed
 */
export async function changeRequest(
  world: HumanLogWriter,
  found: FoundSession,
  next: (inForce: Uint8Array, human: HumanFold) => NewRequest | undefined,
): Promise<boolean> {
  const { home, session } = found;
  let bytes: Uint8Array | undefined;
  const appended = need(
    await appendHuman(world, found, (human) => {
      // A person may be editing request.md at this moment.
      const old = Buffer.from(requestInForce({ ports: world.host, home, session }));
      const request = next(old, human);
      if (request === undefined) return undefined;
      bytes = request.bytes;
      const as = request.plan === undefined ? "prose" : undefined;
      // The same text, read in another form, is another request.
      const isOther = human.isProse !== (as === "prose");
      if (!isOther && Buffer.compare(old, bytes) === 0) return undefined;
      const version = human.updates;
      replaceRequest(world, found, { version, old, bytes });
      const sha256 = createHash("sha256").update(bytes).digest("hex");
      return { kind: "update", v: version + 1, sha256, as };
    }),
  );
  if (bytes !== undefined) {
    const text = new TextDecoder().decode(bytes);
    dropEditCopies(world.host.files, home, { file: "request.md", text });
  }
  return appended.isAppended;
}

function replaceRequest(
  { host: { files } }: HumanLogWriter,
  { home }: FoundSession,
  {
    version,
    old,
    bytes,
  }: { readonly version: number; readonly old: Uint8Array; readonly bytes: Uint8Array },
): void {
  need(files.makeDirectory(home.requests));
  need(files.replace(requestPath(home, version), old));
  need(files.replace(home.request, bytes, () => editKeeper(files, home).keep(home.request, old)));
}
