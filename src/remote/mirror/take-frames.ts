import { dirname, join } from "node:path";
import type { WorldFailure } from "../../base/fatal.ts";
import { MIRROR_FILES_MAX } from "../../base/limits.ts";
import { FileFailure } from "../../base/ports/files.ts";
import type { FileReceiver } from "../../base/ports/programs.ts";
import { fail, ok, type Result } from "../../base/result.ts";
import type { Home } from "../../fs-protocol/home/home.ts";
import { clearDirectories, digestPrefix, extendAt } from "../../host/files/mirror-file.ts";
import { receiveFile } from "../../host/files/receive-file.ts";
import type { Host } from "../../host/host.ts";
import {
  BadFrame,
  FrameDecoder,
  type Frame,
  type FrameHeader,
  type MirrorRequest,
  type SentRef,
} from "./frame.ts";
import type { LfsPointer } from "../../git/lfs/pointer.ts";
import { listHome } from "./list-home.ts";

/** What a receiver tells while it takes frames. */
export interface Taking {
  readonly host: Pick<Host, "files" | "directories">;
  /** The mirror here. */
  readonly home: Home;
  /** A directory here, outside of the home, for what is on its way. */
  readonly scratch: string;
  /** How many files the mirror may have; absent: `MIRROR_FILES_MAX`. */
  readonly filesMax?: number;
  /** Takes the commits of the bundle at a path, which is removed afterwards. */
  readonly onBundle: (path: string) => Promise<Result<void, WorldFailure>>;
  /** Takes content under Git LFS from the file at a path, which is removed afterwards. */
  readonly onContent: (content: LfsPointer, path: string) => Promise<Result<void, WorldFailure>>;
  /** Takes where refs are, all of whose commits have come before. */
  readonly onRefs: (refs: readonly SentRef[]) => Promise<Result<void, WorldFailure>>;
  readonly onBeat: (beat: Extract<FrameHeader, { kind: "beat" }>) => void;
  /** Everything that was there when the place last looked is here. */
  readonly onSame: () => void;
}

/** What is here of a session that runs elsewhere, for its place to send the rest. */
export function mirrorRequest(
  host: Pick<Host, "files" | "directories">,
  home: Home,
  { head, contents }: Pick<MirrorRequest, "head" | "contents">,
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
  return ok({ version: 1, have, head, contents });
}

/** What is on its way: only one follower has the lease of a mirror, and it takes one at a time. */
const BUNDLE = "mirror.bundle";
const CONTENT = "mirror.content";

/** Removes what a killed follower left of what was on its way; nobody else may follow the session now. */
export function clearMirror({
  host,
  home,
  scratch,
}: Pick<Taking, "host" | "home" | "scratch">): Result<void, FileFailure> {
  const cleared = clearHome(host, home);
  if (!cleared.ok) return cleared;
  const names = [BUNDLE, CONTENT];
  let removed = host.files.removeTemporaries(scratch, names);
  for (const name of names) {
    if (removed.ok) removed = host.files.remove(join(scratch, name));
  }
  return removed;
}

/** Removes what a killed process left of files on their way into a home to which nobody else writes now. */
export function clearHome(
  host: Taking["host"],
  home: Pick<Home, "directory">,
): Result<void, FileFailure> {
  const listed = listHome(host, home.directory);
  if (!listed.ok) return listed;
  for (const directory of listed.value.directories) {
    const removed = host.files.removeTemporaries(directory);
    if (!removed.ok) return removed;
  }
  return ok(undefined);
}

/** Bytes of something that arrives in parts. */
interface Part {
  readonly header: { readonly isFirst: boolean; readonly isLast: boolean };
  readonly bytes: Uint8Array;
  /** How many all parts may have together. Absent: any number. */
  readonly bytesMax?: number;
}

interface Incoming {
  readonly to: string;
  readonly receiver: FileReceiver;
  bytes: number;
}

/** Takes the frames of one connection and makes the mirror what they say. */
export class FrameTaker {
  readonly #taking: Taking;
  readonly #decoder = new FrameDecoder();
  #files: Set<string> | undefined;
  #incoming: Incoming | undefined;

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
        const path = this.#placeFor(header.path);
        return path.ok ? extendAt(path.value, header.at, bytes) : path;
      }
      case "replace": {
        const path = this.#placeFor(header.path);
        return path.ok ? this.#takePart(path.value, { header, bytes }) : path;
      }
      case "remove":
        return this.#remove(header.path);
      case "bundle":
        return this.#takeWhole(BUNDLE, { header, bytes }, this.#taking.onBundle);
      case "content":
        return this.#takeWhole(CONTENT, { header, bytes, bytesMax: header.sizeBytes }, (path) =>
          this.#taking.onContent(header, path),
        );
      case "refs":
        return this.#taking.onRefs(header.refs);
      case "beat":
        this.#taking.onBeat(header);
        return ok(undefined);
      case "same":
        this.#taking.onSame();
        return ok(undefined);
    }
  }

  #takePart(
    to: string,
    { header: { isFirst, isLast }, bytes, bytesMax = Infinity }: Part,
  ): Result<void, WorldFailure> {
    if (isFirst) {
      this.close();
      const opened = receiveFile(to);
      if (!opened.ok) return opened;
      this.#incoming = { to, receiver: opened.value, bytes: 0 };
    }
    const incoming = this.#incoming;
    if (incoming?.to !== to) return fail(BadFrame({ problem: "a part has no beginning" }));
    incoming.bytes += bytes.length;
    if (incoming.bytes > bytesMax)
      return fail(BadFrame({ problem: "it is longer than announced" }));
    incoming.receiver.write(bytes);
    if (!isLast) return ok(undefined);
    this.#incoming = undefined;
    const cleared = clearDirectories(to);
    if (cleared.ok) return incoming.receiver.finish();
    incoming.receiver.drop();
    return cleared;
  }

  async #takeWhole(
    name: string,
    whole: Part,
    take: (path: string) => Promise<Result<void, WorldFailure>>,
  ): Promise<Result<void, WorldFailure>> {
    const { scratch, host } = this.#taking;
    const path = join(scratch, name);
    const part = this.#takePart(path, whole);
    if (!part.ok || !whole.header.isLast) return part;
    const taken = await take(path);
    host.files.remove(path);
    return taken;
  }

  #remove(relative: string): Result<void, FileFailure> {
    const path = this.#pathOf(relative);
    if (!path.ok) return path;
    const { host } = this.#taking;
    const kind = host.directories.kindOf(path.value);
    // A directory in its place holds files that have frames of their own.
    if (kind === undefined || kind === "directory") return ok(undefined);
    this.#filesHere().delete(relative);
    return host.files.remove(path.value);
  }

  /** The absolute path here of a file that is about to be written, with its directories made. */
  #placeFor(relative: string): Result<string, WorldFailure> {
    const path = this.#pathOf(relative);
    if (!path.ok) return path;
    const files = this.#filesHere();
    files.add(relative);
    const { host, filesMax = MIRROR_FILES_MAX } = this.#taking;
    if (files.size > filesMax) return fail(BadFrame({ problem: "there are too many files" }));
    const made = host.files.makeDirectory(dirname(path.value));
    return made.ok ? path : made;
  }

  /** The files of the mirror by their paths; those that cannot be listed do not count. */
  #filesHere(): Set<string> {
    if (this.#files !== undefined) return this.#files;
    const listed = listHome(this.#taking.host, this.#taking.home.directory);
    this.#files = new Set(listed.ok ? listed.value.files.keys() : []);
    return this.#files;
  }

  /** The absolute path here; refused if on the way there is a link, or a file in the place of a directory. */
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
    return ok(join(home.directory, relative));
  }
}
