import { randomUUID } from "node:crypto";
import { dirname, join } from "node:path";
import type { WorldFailure } from "../../base/fatal.ts";
import { FileFailure } from "../../base/ports/files.ts";
import type { FileReceiver } from "../../base/ports/programs.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import type { Home } from "../../fs-protocol/home/home.ts";
import { digestPrefix, extendAt } from "../../host/files/mirror-file.ts";
import { receiveFile } from "../../host/files/receive-file.ts";
import type { Host } from "../../host/host.ts";
import {
  BadFrame,
  FrameDecoder,
  type Frame,
  type FrameHeader,
  type MirrorRequest,
} from "./frame.ts";
import { listHome } from "./list-home.ts";
import type { Oid } from "../../base/oid.ts";

/** What a receiver tells while it takes frames. */
export interface Taking {
  readonly host: Pick<Host, "files" | "directories">;
  /** The mirror here. */
  readonly home: Home;
  /** A directory here, outside of the home, for what is on its way. */
  readonly scratch: string;
  /** Takes the commits of a bundle, which is removed afterwards. */
  readonly onBundle: (bundle: {
    readonly path: string;
    readonly head: Oid;
  }) => Promise<Result<void, WorldFailure>>;
  readonly onBeat: (alive: Extract<FrameHeader, { kind: "beat" }>["alive"]) => void;
  /** Everything that was there when the place last looked is here. */
  readonly onSame: () => void;
}

/** What is here of a session that runs elsewhere, for its place to send the rest. */
export function mirrorRequest(
  host: Pick<Host, "files" | "directories">,
  home: Home,
  head: Oid | undefined,
): Result<MirrorRequest, FileFailure> {
  const listed = listHome(host, home.directory);
  if (!listed.ok) return listed;
  const have: MirrorRequest["have"][number][] = [];
  for (const [path, { sizeBytes }] of listed.value.files) {
    const digest = digestPrefix(join(home.directory, path), sizeBytes);
    if (!digest.ok) return digest;
    if (digest.value === undefined) continue;
    have.push({ path, bytes: digest.value.bytes, sha256: digest.value.hash.digest("hex") });
  }
  return ok({ version: 1, have, head });
}

/** Takes the frames of one connection and makes the mirror what they say. */
export class FrameTaker {
  readonly #taking: Taking;
  readonly #decoder = new FrameDecoder();
  #incoming: { readonly to: string; readonly receiver: FileReceiver } | undefined;

  constructor(taking: Taking) {
    this.#taking = taking;
  }

  /** Takes the next bytes. After a failure, the connection is of no more use; the next one goes on. */
  async take(bytes: Uint8Array): Promise<Result<void, WorldFailure>> {
    const decoded = this.#decoder.push(bytes);
    if (!decoded.ok) return decoded;
    for (const frame of decoded.value) {
      const taken = await this.#takeFrame(frame);
      if (!taken.ok) return taken;
    }
    return ok(undefined);
  }

  /** Drops what has not arrived whole. */
  close(): void {
    this.#incoming?.receiver.drop();
    this.#incoming = undefined;
  }

  async #takeFrame({ header, bytes }: Frame): Promise<Result<void, WorldFailure>> {
    switch (header.kind) {
      case "hello":
        return ok(undefined);
      case "append": {
        const path = this.#pathOf(header.path);
        return path.ok ? extendAt(path.value, header.at, bytes) : path;
      }
      case "replace": {
        const path = this.#pathOf(header.path);
        return path.ok ? this.#takePart(path.value, { header, bytes }) : path;
      }
      case "remove": {
        const path = this.#pathOf(header.path);
        return path.ok ? this.#taking.host.files.remove(path.value) : path;
      }
      case "bundle":
        return this.#takeBundle(header, bytes);
      case "beat":
        this.#taking.onBeat(header.alive);
        return ok(undefined);
      case "same":
        this.#taking.onSame();
        return ok(undefined);
    }
  }

  #takePart(
    to: string,
    {
      header: { isFirst, isLast },
      bytes,
    }: {
      readonly header: { readonly isFirst: boolean; readonly isLast: boolean };
      readonly bytes: Uint8Array;
    },
  ): Result<void, WorldFailure> {
    if (isFirst) {
      this.close();
      const opened = receiveFile(to);
      if (!opened.ok) return opened;
      this.#incoming = { to, receiver: opened.value };
    }
    const incoming = this.#incoming;
    if (incoming?.to !== to) return fail(BadFrame({ problem: "a part has no beginning" }));
    incoming.receiver.write(bytes);
    if (!isLast) return ok(undefined);
    this.#incoming = undefined;
    return incoming.receiver.finish();
  }

  async #takeBundle(
    header: Extract<FrameHeader, { kind: "bundle" }>,
    bytes: Uint8Array,
  ): Promise<Result<void, WorldFailure>> {
    const { scratch, host, onBundle } = this.#taking;
    const path = header.isFirst
      ? join(scratch, `${randomUUID()}.bundle`)
      : (this.#incoming?.to ?? scratch);
    const taken = this.#takePart(path, { header, bytes });
    if (!taken.ok || !header.isLast) return taken;
    const fetched = await onBundle({ path, head: header.head });
    host.files.remove(path);
    return fetched;
  }

  /** The absolute path here, with its directories made; refused if a link or a file is in their place. */
  #pathOf(relative: string): Result<string, FileFailure> {
    const { host, home } = this.#taking;
    const parts = relative.split("/");
    for (let depth = 1; depth < parts.length; depth += 1) {
      const directory = join(home.directory, ...parts.slice(0, depth));
      const kind = host.directories.kindOf(directory);
      if (kind !== undefined && kind !== "directory") {
        return fail(FileFailure({ operation: "create", path: directory, errno: "ENOTDIR" }));
      }
    }
    const path = join(home.directory, relative);
    const made = host.files.makeDirectory(dirname(path));
    return made.ok ? ok(path) : made;
  }
}
