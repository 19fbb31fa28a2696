import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { homeAt, type Home } from "../../../src/fs-protocol/home/home.ts";
import { createHost } from "../../../src/host/host.ts";
import type { MirrorRequest } from "../../../src/remote/mirror/frame.ts";
import { isMirrored } from "../../../src/remote/mirror/mirrored-path.ts";
import { MirrorSender } from "../../../src/remote/mirror/send-mirror.ts";
import type { Send } from "../../../src/remote/mirror/sent-file.ts";
import {
  clearMirror,
  FrameTaker,
  mirrorRequest,
  type Taking,
} from "../../../src/remote/mirror/take-frames.ts";
import type { World } from "../../../src/workspace/world.ts";
import { inProcessSession, type InProcessSession } from "../../rig/in-process-session.ts";
import { value } from "../../git/rig.ts";
import { ownEnvironment } from "../../rig/own-environment.ts";

/** A session with real files and a real repository, and a folder for its mirror. */
export interface MirrorRig extends Disposable {
  readonly at: InProcessSession;
  readonly world: World;
  readonly far: Home;
  /** A mirror with a name of its own, which is made when it is first asked for. */
  readonly mirror: (name?: string) => MirrorSide;
  readonly sender: (send: Send) => MirrorSender;
  /** Sends what a mirror lacks in one connection that is not cut. */
  readonly bringUp: (side: MirrorSide) => Promise<void>;
}

/** The end of a connection at which the mirror is. */
export interface MirrorSide {
  readonly home: Home;
  readonly scratch: string;
  readonly taker: (more?: Partial<Taking>) => FrameTaker;
  /** Removes what a killed follower left, and says what is here. */
  readonly request: () => MirrorRequest;
}

/** Makes the session; `using` removes everything. */
export function mirrorRig(): MirrorRig {
  const at = inProcessSession();
  const root = realpathSync(mkdtempSync(join(tmpdir(), "wisp-mirror-")));
  mkdirSync(at.session.state, { recursive: true });
  const host = createHost();
  const world: World = {
    ...{
      cwd: at.repository,
      host,
      entry: "/wisp.js",
      nodePath: process.execPath,
      version: "1.0.0",
    },
    env: ownEnvironment({ HOME: root }),
    program: { code: "c0de", nodeVersion: "v20" },
    tell: () => undefined,
    ask: undefined,
  };
  const sender = (send: Send) =>
    new MirrorSender(world, { home: at.home, session: at.session }, send);
  return {
    ...{ at, world, far: at.home, sender },
    mirror: (name = "mirror") => mirrorSide(world, join(root, name)),
    bringUp: async (side) => {
      const taker = side.taker();
      const sending = sender(async (bytes) => value(await taker.take(bytes)));
      await sending.greet(side.request());
      await sending.look(true);
    },
    [Symbol.dispose]: () => {
      at[Symbol.dispose]();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

function mirrorSide({ host }: World, root: string): MirrorSide {
  const home = homeAt(join(root, "home"));
  const scratch = join(root, "state");
  for (const directory of [home.locks, scratch]) mkdirSync(directory, { recursive: true });
  const done = () => Promise.resolve({ ok: true, value: undefined } as const);
  const where = { host, home, scratch };
  return {
    ...{ home, scratch },
    taker: (more) =>
      new FrameTaker({
        ...where,
        ...{
          onBundle: done,
          onContent: done,
          onRefs: done,
          onBeat: () => undefined,
          onSame: () => undefined,
        },
        ...more,
      }),
    request: () => {
      value(clearMirror(where));
      return value(mirrorRequest(host, home, {}));
    },
  };
}

/** Writes a file below a folder, which is made. */
export function put(directory: string, path: string, text: string): void {
  mkdirSync(dirname(join(directory, path)), { recursive: true });
  writeFileSync(join(directory, path), text);
}

/** Every file and link below a folder, with the contents of the files. */
export function everything(directory: string): Readonly<Record<string, string>> {
  if (!existsSync(directory)) return {};
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
  const pairs = entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      const text = entry.isFile() ? readFileSync(path, "latin1") : "(no file)";
      return [relative(directory, path), text] as const;
    });
  return Object.fromEntries(pairs.sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** The files of a home that belong to its mirror, with their contents. */
export function mirrored(home: Home): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(everything(home.directory)).filter(([path]) => isMirrored(path)),
  );
}
