import { basename, join } from "node:path";
import { attempted, need } from "../../base/fatal.ts";
import { FileFailure } from "../../base/ports/files.ts";
import { fail } from "../../base/result.ts";
import { revisionNumber, type Home } from "../../fs-protocol/home/home.ts";
import { homeFamily } from "../../fs-protocol/home/home-family.ts";
import type { Oid } from "../../base/oid.ts";
import { LEFT_THERE_MAX, LeftThere, type LinkJson } from "../../fs-protocol/home/link-json.ts";
import { TOP } from "../../workspace/session/far-link.ts";
import { readLeases } from "../../workspace/session/read-leases.ts";
import type { FoundSession } from "../../workspace/sessions.ts";
import type { World } from "../../workspace/world.ts";
import { bundleSince, type SentCommits } from "./bundle-since.ts";
import { encodeFrame, type MirrorRequest } from "./frame.ts";
import { listHome } from "./list-home.ts";
import { isLasting } from "./mirrored-path.ts";
import { SentFile, type Send } from "./sent-file.ts";

/** What came of a look. */
export interface HomeLook {
  /** Those in which the next change may happen. */
  readonly directories: readonly string[];
  /** Whether all that was there has been sent; false if a file changed while it was read. */
  readonly isWhole: boolean;
}

/** Sends a home to one follower: first what it lacks, then, at each look, what has changed. */
export class MirrorSender {
  readonly #world: World;
  readonly #found: FoundSession;
  readonly #send: Send;
  readonly #files = new Map<string, SentFile>();
  #commits: SentCommits;
  /** The content under Git LFS that the follower has; undefined: it takes none. */
  #contents: Set<string> | undefined;
  #alive = "";
  #left: { readonly head: Oid; found: LeftThere } | undefined;
  #isSame = false;

  constructor(world: World, found: FoundSession, send: Send) {
    this.#world = world;
    this.#found = found;
    this.#send = send;
    this.#commits = { head: undefined, rescues: undefined };
  }

  /** Takes in what the follower has, and greets it. */
  async greet({ have, head, contents }: MirrorRequest): Promise<void> {
    await this.#send(encodeFrame({ kind: "hello", version: 1 }));
    this.#commits = { head, rescues: undefined };
    this.#contents = contents && new Set(contents);
    for (const { path, ...rest } of have) this.#fileAt(path).acknowledge(rest);
  }

  /**
   * Sends everything that has changed since the last look. Commits go before the records that may name them: the sizes
   * of the files are read first, then the head of the branch, and only the bytes up to those sizes are sent after it.
   *
   * @param isFull whether to look for what gives no sign in the files
   * Throws `CannotGoOn` if a file cannot be read, or if the home is being removed: its mirror keeps what it has.
   */
  async look(isFull: boolean): Promise<HomeLook> {
    const { host } = this.#world;
    const { home } = this.#found;
    const look = { nowMs: host.clock.nowMs(), isFull };
    const listed = need(listHome(host, home.directory));
    const missing = [...this.#files.keys()].filter((known) => !listed.files.has(known));
    const lost = missing.find(isLasting);
    if (lost !== undefined) {
      const path = join(home.directory, lost);
      need(fail(FileFailure({ operation: "read", path, errno: "ENOENT" })));
    }
    await this.#sendCommits(isFull);
    let hasSent = false;
    let isWhole = true;
    for (const path of missing) {
      await this.#send(encodeFrame({ kind: "remove", path }));
      this.#files.delete(path);
      hasSent = true;
    }
    for (const [path, stat] of listed.files) {
      const sent = need(await this.#fileAt(path).send(stat, look, this.#send));
      hasSent ||= sent === "sent";
      isWhole &&= sent !== "changing";
    }
    await this.beat(false);
    if (isWhole && (hasSent || !this.#isSame)) await this.#send(encodeFrame({ kind: "same" }));
    this.#isSame = isWhole;
    const family = need(homeFamily(host.files, home, this.#found.session));
    return { directories: [...listed.directories, ...family.map(({ locks }) => locks)], isWhole };
  }

  /**
   * Tells who is at work, if that has changed or a sign of life is due.
   *
   * @returns whether it has changed: only after a further look is it known that the files are what those left who are gone
   */
  async beat(isDue: boolean): Promise<boolean> {
    const alive = await this.#holders();
    const leftBehind = this.#leftBehind(alive);
    const text = JSON.stringify([alive, leftBehind]);
    const hasChanged = text !== this.#alive;
    if (!isDue && !hasChanged) return false;
    this.#alive = text;
    if (hasChanged) this.#isSame = false;
    await this.#send(encodeFrame({ kind: "beat", alive, leftBehind }));
    return hasChanged;
  }

  async #holders(): Promise<LinkJson["alive"]> {
    const { host } = this.#world;
    const family = need(homeFamily(host.files, this.#found.home, this.#found.session));
    const held = await Promise.all(
      family.map(async (home) => ({ home, alive: [...(await readLeases(host, home))] })),
    );
    const byHome: LinkJson["alive"] = {};
    for (const { home, alive } of held) byHome[nameOf(home)] = alive;
    return byHome;
  }

  /** What is left behind in clones in which nobody works; looked for once for each head of the branch. */
  #leftBehind(alive: LinkJson["alive"]): LeftThere | undefined {
    const { head } = this.#commits;
    const { base } = this.#found.session;
    const isAtRest = Object.values(alive).every((holders) => holders.length === 0);
    if (!isAtRest || head === undefined || head === base) return undefined;
    if (this.#left?.head !== head) {
      const left = { head, found: [] };
      this.#left = left;
      // No sign of life waits for it.
      void attempted(() => this.#findLeft(left));
    }
    return this.#left.found.length === 0 ? undefined : this.#left.found;
  }

  async #findLeft(left: { readonly head: Oid; found: LeftThere }): Promise<void> {
    const { findLeftBehind } = await import("../../workspace/finished/read-left-behind.ts");
    const named = await findLeftBehind(this.#world, this.#found, left.head);
    left.found = named.filter((one) => LeftThere.safeParse([one]).success).slice(0, LEFT_THERE_MAX);
  }

  async #sendCommits(isFull: boolean): Promise<void> {
    const how = { sent: this.#commits, isFull, contents: this.#contents, send: this.#send };
    this.#commits = need(await bundleSince(this.#world, this.#found, how));
  }

  #fileAt(path: string): SentFile {
    const known = this.#files.get(path);
    if (known !== undefined) return known;
    const full = join(this.#found.home.directory, path);
    const file = new SentFile(this.#world.host.files, path, full);
    this.#files.set(path, file);
    return file;
  }
}

function nameOf({ directory }: Home): string {
  const name = basename(directory);
  return revisionNumber(name) === undefined ? TOP : name;
}
