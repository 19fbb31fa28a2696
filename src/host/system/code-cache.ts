import { createHash } from "node:crypto";
import * as fs from "node:fs";
import Module from "node:module";
import { basename, dirname, join } from "node:path";
import { constants, Script } from "node:vm";
import { assert } from "../../base/assert.ts";
import { stateHome } from "./state-home.ts";

const [WRAPPER_BEFORE = ""] = Module.wrap("\0").split("\0");
const DIGEST_BYTES = 32;
/** Compiled code is about as large as its text. */
const FILE_BYTES_MAX = 16 * 1024 * 1024;

type Variables = Readonly<Record<string, string | undefined>>;

/** A file of the program that was compiled in this process, not read from the cache. */
interface Compiled {
  readonly script: Script;
  /** Where its compiled form belongs. */
  readonly path: string;
}

/**
 * Keeps the compiled form of the program's own files between runs: compiling them is most of what a
 * short command does. Node has such a cache only since 22.1; this one works on every version.
 *
 * It is in wisp's state directory, which no sandbox lets a command write to. V8 does not verify
 * compiled code, and a damaged file would end the process, so each file begins with a digest of the
 * rest. Whatever cannot be read is compiled again.
 *
 * @param directory absolute path of the program's files; others are loaded as always
 */
export function keepCompiledCode(directory: string, env: Variables): void {
  if ((env["NODE_DISABLE_COMPILE_CACHE"] ?? "") !== "") return;
  const cache = join(stateHome(env), "wisp", ".code", keyOf(directory, env));
  const compiled: Compiled[] = [];
  const compile: unknown = Reflect.get(Module.prototype, "_compile");
  assert(typeof compile === "function", "Node compiles modules with Module.prototype._compile");
  Reflect.set(
    Module.prototype,
    "_compile",
    function (this: NodeJS.Module, text: string, filename: string, ...more: readonly unknown[]) {
      if (dirname(filename) !== directory) return call(compile, this, [text, filename, ...more]);
      const path = join(cache, basename(filename));
      const cachedData = readVerified(path);
      const script = new Script(Module.wrap(text), {
        filename,
        columnOffset: -WRAPPER_BEFORE.length,
        cachedData,
        importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
      });
      if (cachedData === undefined || script.cachedDataRejected === true)
        compiled.push({ script, path });
      const run: unknown = script.runInThisContext();
      assert(typeof run === "function", "a wrapped module is a function");
      const require = (id: string): unknown => this.require(id);
      return call(run, this.exports, [this.exports, require, this, filename, directory]);
    },
  );
  // Only then is it known which functions a command needs.
  process.on("exit", () => {
    for (const one of compiled) write(one);
  });
}

/** The same as `Reflect.apply`, which returns `any`. */
function call(act: Function, self: unknown, given: readonly unknown[]): unknown {
  return Reflect.apply(act, self, given);
}

/** Compiled code depends on the version of V8 and on its flags. */
function keyOf(directory: string, env: Variables): string {
  const flags = [...process.execArgv, env["NODE_OPTIONS"] ?? ""];
  const facts = JSON.stringify([directory, process.version, process.arch, flags]);
  return digest(facts).toString("hex").slice(0, 16);
}

function digest(content: string | Uint8Array): Buffer {
  return createHash("sha256").update(content).digest();
}

/** The compiled form of a file; undefined if there is none that is whole. */
function readVerified(path: string): Buffer | undefined {
  try {
    const bytes = fs.readFileSync(path);
    const data = bytes.subarray(DIGEST_BYTES);
    return digest(data).equals(bytes.subarray(0, DIGEST_BYTES)) ? data : undefined;
  } catch {
    return undefined;
  }
}

/** Losing it costs time and nothing else. */
function write({ script, path }: Compiled): void {
  const draft = `${path}.${String(process.pid)}`;
  try {
    const data = script.createCachedData();
    if (data.length > FILE_BYTES_MAX) return;
    fs.mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    fs.writeFileSync(draft, Buffer.concat([digest(data), data]), { mode: 0o600 });
    fs.renameSync(draft, path);
  } catch {
    // A read-only or full disk.
  }
}
