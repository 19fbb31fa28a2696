import { FAR_COPY_MS_MAX } from "../../base/limits.ts";
import type { Executor, Place, PutFile } from "../../base/ports/executor.ts";
import type { ExecutorHost } from "../over-argv.ts";
import type { OwnInput, OwnArgv, OwnPrograms } from "./own-programs.ts";

type Copies = Pick<Executor, "put" | "get">;

interface Parts {
  readonly own: OwnPrograms;
  readonly host: ExecutorHost;
  readonly options: { readonly put?: OwnArgv | undefined; readonly get?: OwnArgv | undefined };
  /** What copies by commands at a place. */
  readonly at: (place: Place) => Copies;
}

/** Copies by the executables of the user's, where there are any, else by commands at the place. */
export function copiesOf({ own, host, options, at }: Parts): Copies {
  return {
    put(place, file) {
      if (options.put === undefined) return at(place).put(place, file);
      const size = sizeHere(host, file);
      if (size === undefined) return Promise.resolve(own.refuse(`no file to copy to ${file.to}`));
      const mode = file.isExecutable === true ? "700" : "600";
      const more = { WISP_PATH: file.to, WISP_MODE: mode, WISP_SIZE: String(size) };
      const streams = { stdin: file.from, timeoutMs: FAR_COPY_MS_MAX };
      return own.demand(options.put, { place, more }, streams);
    },
    async get(place, far, here) {
      if (options.get === undefined) return at(place).get(place, far, here);
      const receiver = host.receiveFile(here);
      if (!receiver.ok) return receiver;
      const { write, finish, drop } = receiver.value;
      const given: OwnInput = { place, more: { WISP_PATH: far } };
      const streams = { onStdout: write, timeoutMs: FAR_COPY_MS_MAX };
      const got = await own.demand(options.get, given, streams);
      if (got.ok) return finish();
      drop();
      return got;
    },
  };
}

function sizeHere({ files }: ExecutorHost, { from }: PutFile): number | undefined {
  return from instanceof Uint8Array ? from.length : files.stat(from.path)?.sizeBytes;
}
