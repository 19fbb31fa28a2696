import { describe, expect, test } from "vitest";
import { SharedFiles } from "../../src/home/shared-files.ts";
import { copyPath } from "../../src/fs-protocol/home/copy-path.ts";
import { homeAt } from "../../src/fs-protocol/home/home.ts";
import { SESSION } from "../rig/session.ts";
import { MemoryFiles } from "../rig/memory-files.ts";
import { memoryPorts } from "./memory-ports.ts";

const { progress: PROGRESS } = homeAt("/repo/.wisp/sessions/demo");
const COPY = copyPath(SESSION, "progress");
const BLOCKS = 400;
const BLOCK = `[Review] ${"a block of some length ".repeat(10)}\n`;

/** Files with the time of each change, which count what is read of PROGRESS.txt and its copy. */
class TimedFiles extends MemoryFiles {
  readBytes = 0;
  readonly #changed = new Map<string, number>();
  #clock = 0;

  override stat(path: string) {
    const stat = super.stat(path);
    return stat && { ...stat, changedMs: this.#changed.get(path) ?? 0 };
  }

  override write(path: string, content: Uint8Array | string): void {
    this.#changed.set(path, ++this.#clock);
    super.write(path, content);
  }

  override readChunk(path: string, offsetBytes: number, lengthBytesMax: number) {
    const read = super.readChunk(path, offsetBytes, lengthBytesMax);
    if (read.ok) this.readBytes += read.value.length;
    return read;
  }
}

/** Processes that append to PROGRESS.txt, each of which looks after every append. */
function session() {
  const files = new TimedFiles();
  const ports = { ...memoryPorts(), files };
  const process = () =>
    new SharedFiles({ ports, home: homeAt("/repo/.wisp/sessions/demo"), session: SESSION });
  const all = [process(), process()] as const;
  const look = async () => {
    const restored = [];
    for (const one of all) restored.push(...(await one.restoreChanged()));
    return restored;
  };
  const append = (at: number, meanwhile: () => void = () => undefined) => {
    const one = all[at % 2 === 0 ? 0 : 1];
    const restored = one.restoreLocked(PROGRESS);
    const bytes = Buffer.from(BLOCK);
    files.append(PROGRESS, bytes);
    meanwhile();
    one.appended(PROGRESS, bytes);
    return restored;
  };
  const edit = () => {
    files.write(PROGRESS, files.textOf(PROGRESS).replace("block", "BLOCK"));
  };
  return { files, process, look, append, edit };
}

async function filled() {
  const made = session();
  for (let at = 0; at < BLOCKS; at++) {
    made.append(at);
    expect(await made.look()).toEqual([]);
  }
  return made;
}

test("what is read of PROGRESS.txt and its copy per appended block does not depend on their length", async () => {
  const { files } = await filled();
  const whole = files.textOf(PROGRESS).length;
  expect(whole).toBe(BLOCKS * BLOCK.length);
  expect(files.textOf(COPY)).toBe(files.textOf(PROGRESS));
  // Each of two processes reads both files once for each eighth by which they grew; 400 times without that.
  expect(files.readBytes / whole).toBeLessThan(80);
});

describe("what another program did to a long PROGRESS.txt is found by the next look", () => {
  test.each<[string, (text: string) => string]>([
    ["an old byte was changed in place", (text) => text.replace("block", "BLOCK")],
    ["it was changed and appended to", (text) => `${text.replace("block", "BLOCK")}${BLOCK}`],
    ["it was cut", (text) => text.slice(0, -BLOCK.length)],
    ["it was emptied", () => ""],
  ])("%s", async (_, damage) => {
    const { files, look } = await filled();
    const whole = files.textOf(PROGRESS);
    files.write(PROGRESS, damage(whole));
    expect(await look()).toMatchObject([{ path: PROGRESS }]);
    expect(files.textOf(PROGRESS)).toBe(whole);
  });

  test("another file is in its place, of the same beginning and longer", async () => {
    const { files, look } = await filled();
    const whole = files.textOf(PROGRESS);
    files.replace(PROGRESS, Buffer.from(`${whole.replace("block", "BLOCK")}${BLOCK}`));
    expect(await look()).toMatchObject([{ path: PROGRESS, found: "edited" }]);
  });

  test("a process that appends first finds it first", async () => {
    const { files, append, edit, look } = await filled();
    const whole = files.textOf(PROGRESS);
    edit();
    expect(append(1)).toMatchObject([{ path: PROGRESS, found: "edited" }]);
    expect(await look()).toEqual([]);
    expect(files.textOf(PROGRESS)).toBe(`${whole}${BLOCK}`);
  });
});

test("a change between an append and its copy is found when an eighth was added", async () => {
  const { files, append, edit, look } = await filled();
  const whole = files.textOf(PROGRESS);
  const restored = [...append(0, edit)];
  let appended = 1;
  for (; restored.length === 0 && appended < BLOCKS; appended++) {
    restored.push(...(await look()), ...append(appended));
  }
  expect(restored).toMatchObject([{ path: PROGRESS, found: "edited" }]);
  expect(appended).toBeLessThan(BLOCKS / 8 + 2);
  expect(files.textOf(PROGRESS)).toBe(whole + BLOCK.repeat(appended));
});

test("a change between an append and its copy is found by a process that starts", async () => {
  const { files, append, edit, process } = await filled();
  const whole = files.textOf(PROGRESS);
  append(0, edit);
  expect(await process().restoreChanged()).toMatchObject([{ path: PROGRESS, found: "edited" }]);
  expect(files.textOf(PROGRESS)).toBe(`${whole}${BLOCK}`);
});
