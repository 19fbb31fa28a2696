import { createHook } from "node:async_hooks";
import { EventEmitter } from "node:events";
import {
  appendFileSync,
  existsSync,
  readFileSync,
  renameSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { filter, firstValueFrom, type Observable } from "rxjs";
import { expect, test, vi } from "vitest";
import type { WatchHint } from "../../src/base/ports/watcher.ts";
import {
  createChokidarWatcher,
  type NativeWatcher,
} from "../../src/host/files/chokidar-watcher.ts";
import { startFixture } from "./child.ts";
import { scratch } from "./scratch.ts";

const watcher = createChokidarWatcher();

/** Resolves with the first hint at which `isTrue`, which is called only at hints. */
async function hintWhen(hint$: Observable<WatchHint>, isTrue: (hint: WatchHint) => boolean) {
  return firstValueFrom(hint$.pipe(filter(isTrue)), { defaultValue: undefined });
}

/** Watches, calls `act` once all directories are ready, and waits for a hint about this path. */
async function hintAfter(
  directories: readonly string[],
  act: () => void,
  path: string,
): Promise<void> {
  const ready = new Set<string>();
  await hintWhen(watcher.watch(directories), (hint) => {
    const wasReady = ready.size === directories.length;
    if (!wasReady && directories.includes(hint.path)) ready.add(hint.path);
    if (!wasReady && ready.size === directories.length) act();
    return wasReady && hint.path === path;
  });
}

test("every directory gives a hint once its changes can be seen", async () => {
  using one = scratch();
  using two = scratch();
  const seen = new Set<string>();
  await hintWhen(watcher.watch([one.path, two.path]), ({ path }) => seen.add(path).size === 2);
  expect(seen).toEqual(new Set([one.path, two.path]));
});

test.each([1, 5, 20, 40, 60])(
  "the second of two appends %i ms apart in another process gives a hint",
  async (gapMs) => {
    using directory = scratch();
    const path = directory.at("a.log");
    writeFileSync(path, "");
    const children: Disposable[] = [];
    await hintWhen(watcher.watch([directory.path]), (hint) => {
      if (hint.path === directory.path) {
        children.push(startFixture("append-pair.js", path, String(gapMs)));
      }
      return readFileSync(path, "utf8") === "first\nsecond\n";
    });
    expect(readFileSync(path, "utf8")).toBe("first\nsecond\n");
  },
);

test("a hint is passed on without a look at the directory or its files", async () => {
  using directory = scratch();
  const path = directory.at("a.log");
  writeFileSync(path, "");
  let looks = 0;
  const hook = createHook({ init: (_, type) => void (looks += Number(type.startsWith("FSREQ"))) });
  const children: Disposable[] = [];
  await hintWhen(watcher.watch([directory.path]), (hint) => {
    if (hint.path === directory.path) {
      hook.enable();
      children.push(startFixture("append-pair.js", path, "20"));
    }
    return readFileSync(path, "utf8") === "first\nsecond\n";
  });
  // What an event causes may begin after its hint.
  await new Promise(setImmediate);
  hook.disable();
  expect(looks).toBe(0);
});

test("while polling, files that change, appear and disappear give hints of their paths", async () => {
  using directory = scratch();
  const [log, other] = [directory.at("a.log"), directory.at("b.log")];
  writeFileSync(log, "");
  vi.stubEnv("CHOKIDAR_USEPOLLING", "1");
  vi.stubEnv("CHOKIDAR_INTERVAL", "10");
  // Again and again, because a change before the first look of a poll is part of what it compares with.
  using changing = startFixture("keep-changing.js", log, other);
  const seen = new Set<string>();
  try {
    const isAll = () =>
      seen.has(log) && seen.has(`${other} is there`) && seen.has(`${other} is gone`);
    await hintWhen(watcher.watch([directory.path]), ({ path }) => {
      seen.add(path === other ? `${path} is ${existsSync(path) ? "there" : "gone"}` : path);
      return isAll();
    });
    expect(isAll()).toBe(true);
  } finally {
    changing.kill("SIGKILL");
    vi.unstubAllEnvs();
  }
});

test("files that are made, appended to, replaced and removed give hints of their path", async () => {
  using directory = scratch();
  const path = directory.at("a.log");
  const acts = [
    () => writeFileSync(path, ""),
    () => appendFileSync(path, "line\n"),
    () => {
      writeFileSync(directory.at("b"), "other\n");
      renameSync(directory.at("b"), path);
    },
    () => unlinkSync(path),
  ];
  for (const act of acts)
    await expect(hintAfter([directory.path], act, path)).resolves.toBe(undefined);
});

test("a log that was deleted and made again is still watched", async () => {
  using directory = scratch();
  const path = directory.at("a.log");
  writeFileSync(path, "old\n");
  let step = 0;
  await hintWhen(watcher.watch([directory.path]), () => {
    if (step++ === 0) {
      unlinkSync(path);
      writeFileSync(path, "new\n");
      startFixture("append-pair.js", path, "5");
    }
    return readFileSync(path, "utf8") === "new\nfirst\nsecond\n";
  });
  expect(readFileSync(path, "utf8")).toBe("new\nfirst\nsecond\n");
});

test("nothing is watched before somebody subscribes, nor after the last has left", async () => {
  using directory = scratch();
  const watches = () =>
    process.getActiveResourcesInfo().filter((name) => name === "FSEventWrap").length;
  const before = watches();
  const hint$ = watcher.watch([directory.path]);
  expect(watches()).toBe(before);
  await firstValueFrom(hint$, { defaultValue: undefined });
  expect(watches()).toBe(before);
});

test("a missing directory does not end the watch", async () => {
  using directory = scratch();
  const path = directory.at("a.log");
  await hintAfter([directory.at("none"), directory.path], () => writeFileSync(path, ""), path);
  expect(readFileSync(path, "utf8")).toBe("");
});

/** A native watcher that a test controls. */
class ScriptedWatcher extends EventEmitter implements NativeWatcher {
  isClosed = false;

  close(): Promise<void> {
    this.isClosed = true;
    return Promise.resolve();
  }
}

test("running out of watches is reported, and hints continue", async () => {
  const native = new ScriptedWatcher();
  const errnos: string[] = [];
  const degrading = createChokidarWatcher({
    onDegraded: (errno) => errnos.push(errno),
    open: async () => native,
  });
  const seen: WatchHint[] = [];
  const hints = hintWhen(degrading.watch(["/logs"]), (hint) => seen.push(hint) === 4);
  await new Promise(setImmediate);
  for (const code of ["ENOSPC", "ENOSPC"]) {
    native.emit("error", Object.assign(new Error("no watch left"), { code }));
  }
  native.emit("ready");
  native.emit("raw", "change", "a.log", { watchedPath: "/logs" });
  await hints;
  const lost = { path: "/logs", lost: "ENOSPC" };
  expect(seen).toEqual([lost, lost, { path: "/logs" }, { path: "/logs/a.log" }]);
  expect(errnos).toEqual(["ENOSPC"]);
  expect(native.isClosed).toBe(true);
});

test("on a file system that others change without an event, checking periodically is asked for, and its events still count", async () => {
  const native = new ScriptedWatcher();
  const kinds: string[] = [];
  const degrading = createChokidarWatcher({
    onDegraded: (kind) => kinds.push(kind),
    sharedKind: (directory) => (directory === "/mnt/c/logs" ? "9p" : undefined),
    open: async () => native,
  });
  const seen: WatchHint[] = [];
  const watched = ["/mnt/c/logs", "/local/logs"];
  const hints = hintWhen(degrading.watch(watched), (hint) => seen.push(hint) === 2);
  await new Promise(setImmediate);
  native.emit("raw", "change", "a.log", { watchedPath: "/mnt/c/logs" });
  await hints;
  expect(seen).toEqual([{ path: "/mnt/c/logs", lost: "9p" }, { path: "/mnt/c/logs/a.log" }]);
  expect(kinds).toEqual(["9p"]);
});

test("a watcher that opens after the last subscriber left is closed", async () => {
  const native = new ScriptedWatcher();
  let open: (watcher: NativeWatcher) => void = () => undefined;
  const late = createChokidarWatcher({ open: () => new Promise((resolve) => (open = resolve)) });
  late
    .watch(["/logs"])
    .subscribe({ error: () => undefined })
    .unsubscribe();
  open(native);
  await new Promise(setImmediate);
  expect(native.isClosed).toBe(true);
});
