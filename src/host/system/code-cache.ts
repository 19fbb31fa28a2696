import { createHash } from "node:crypto";
import * as fs from "node:fs";
import Module from "node:module";
import { basename, dirname, join } from "node:path";
import { Script } from "node:vm";
import { assert } from "../../base/assert.ts";
import type { Environment } from "../../base/ports/processes.ts";

const [WRAPPER_BEFORE = ""] = Module.wrap("\0").split("\0");
const DIGEST_BYTES = 32;
/** Node gives code that it did not compile itself nothing to load ES modules with. */
const IMPORT = "import(";
/** Compiled code is about as large as its text. */
const FILE_BYTES_MAX = 16 * 1024 * 1024;
/** A process that lives longer writes then, because it may be killed at its end. */
const WRITE_AFTER_MS = 5_000;

/** Whose compiled form is kept, and where. */
export interface CompiledCode {
  /** Absolute path of the program's files; others are loaded as always. */
  readonly directory: string;
  /** A path that stands for all versions of the program that are at this place one after another. */
  readonly place: string;
  /** Absolute path of the directory that contains the caches. */
  readonly parent: string;
  /** What this process was started for; processes with the same share a cache. */
  readonly start: string;
  readonly env: Environment;
}

/** A file of the program that was compiled in this process, not read from the cache. */
interface Compiled {
  readonly script: Script;
  readonly text: string;
  /** Where its compiled form belongs. */
  readonly path: string;
}

/**
 * Keeps the compiled form of the program's own files between runs: compiling them is most of what a
 * short command does. Node has such a cache only since 22.1; this one works on every version.
 *
 * V8 does not verify compiled code, of which a damaged file would end the process, and compares only
 * the length of the text. So each file begins with a digest of the text and of the rest. Whatever
 * cannot be read is compiled again. Nobody but the user may be able to write to the cache, because
 * its content is run.
 *
 * V8 keeps only functions that were called, and what one command calls, another does not. So a cache
 * is for one kind of start.
 */
export function keepCompiledCode({ directory, place, parent, start, env }: CompiledCode): void {
  if ((env["NODE_DISABLE_COMPILE_CACHE"] ?? "") !== "") return;
  const cache = join(parent, keyOf(place, start, env));
  const compiled: Compiled[] = [];
  const compile: unknown = Reflect.get(Module.prototype, "_compile");
  assert(isCallable(compile), "Node compiles modules with Module.prototype._compile");
  Reflect.set(
    Module.prototype,
    "_compile",
    function (this: NodeJS.Module, text: string, filename: string, ...more: readonly unknown[]) {
      if (dirname(filename) !== directory || text.includes(IMPORT))
        return Reflect.apply(compile, this, [text, filename, ...more]);
      const path = join(cache, basename(filename));
      const cachedData = readVerified(path, text);
      const script = new Script(Module.wrap(text), {
        filename,
        columnOffset: -WRAPPER_BEFORE.length,
        cachedData,
      });
      if (cachedData === undefined || script.cachedDataRejected === true)
        compiled.push({ script, text, path });
      const run: unknown = script.runInThisContext();
      assert(isCallable(run), "a wrapped module is a function");
      const require = (id: string): unknown => this.require(id);
      return Reflect.apply(run, this.exports, [this.exports, require, this, filename, directory]);
    },
  );
  const writeAll = () => {
    if (compiled.length > 0) removeOthers(cache, directory);
    for (const one of compiled.splice(0)) write(one);
  };
  // As late as possible, because V8 keeps only the functions that were called until then.
  process.on("exit", writeAll);
  setTimeout(writeAll, WRITE_AFTER_MS).unref();
}

type Callable = (...given: readonly unknown[]) => unknown;

function isCallable(value: unknown): value is Callable {
  return typeof value === "function";
}

/** Compiled code depends on the version of V8 and on its flags. */
function keyOf(place: string, start: string, env: Environment): string {
  const flags = [...process.execArgv, env["NODE_OPTIONS"] ?? ""];
  const facts = JSON.stringify([place, start, process.version, process.arch, flags]);
  return digest(facts).toString("hex").slice(0, 16);
}

function digest(...parts: readonly (string | Uint8Array)[]): Buffer {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest();
}

/** The compiled form of a text; undefined if there is none that is whole. */
function readVerified(path: string, text: string): Buffer | undefined {
  try {
    const bytes = fs.readFileSync(path);
    const data = bytes.subarray(DIGEST_BYTES);
    return digest(text, data).equals(bytes.subarray(0, DIGEST_BYTES)) ? data : undefined;
  } catch {
    return undefined;
  }
}

/** Removes the compiled form of files that the program no longer has. */
function removeOthers(cache: string, directory: string): void {
  try {
    const current = new Set(fs.readdirSync(directory));
    const others = fs.readdirSync(cache).filter((name) => !current.has(name));
    for (const name of others) fs.rmSync(join(cache, name), { force: true });
  } catch {
    // There is no cache yet.
  }
}

/** Losing it costs time and nothing else, so that no failpoint is here. */
function write({ script, text, path }: Compiled): void {
  const draft = `${path}.${String(process.pid)}`;
  try {
    const data = script.createCachedData();
    if (data.length > FILE_BYTES_MAX) return;
    fs.mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    fs.writeFileSync(draft, Buffer.concat([digest(text, data), data]), { mode: 0o600 });
    fs.renameSync(draft, path);
  } catch {
    // A read-only or full disk.
  }
}
