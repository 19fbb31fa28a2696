import { existsSync } from "node:fs";
import Module from "node:module";
import { basename, dirname, join } from "node:path";
import { assert } from "../../base/assert.ts";

/** The name of the error of a program whose files are gone. It is printed without a stack, because it is no mistake of the program. */
export const REPLACED = "ProgramReplaced";

/**
 * Lets a program whose files are replaced while it runs load the rest of itself from a copy. The name of a file tells its
 * content, so a file of that name is the one that was meant, wherever it is; each is loaded once.
 *
 * @param directory absolute path of the program's files
 * @param copy absolute path of a copy of it, which need not exist; undefined if there can be none
 */
export function loadFromCopy(directory: string, copy: string | undefined): void {
  const resolve: unknown = Reflect.get(Module, "_resolveFilename");
  assert(isCallable(resolve), "Node finds modules with Module._resolveFilename");
  Reflect.set(
    Module,
    "_resolveFilename",
    function (this: unknown, request: string, parent?: NodeJS.Module, ...more: unknown[]) {
      const from = typeof parent?.filename === "string" ? dirname(parent.filename) : undefined;
      if (!request.startsWith("./") || (from !== directory && from !== copy))
        return Reflect.apply(resolve, this, [request, parent, ...more]);
      return found([directory, ...(copy === undefined ? [] : [copy])], basename(request));
    },
  );
}

/** The path of a file in the first folder that it was loaded from, or that has it. */
function found(folders: readonly string[], name: string): string {
  const paths = folders.map((folder) => join(folder, name));
  const path = paths.find((one) => one in loaded()) ?? paths.find((one) => existsSync(one));
  if (path !== undefined) return path;
  const words =
    "wisp was replaced by another version while this command ran. Run the same command again.";
  process.removeListener("uncaughtException", endInWords);
  process.once("uncaughtException", endInWords);
  throw Object.assign(new Error(words), { name: REPLACED, stack: words });
}

/** For an error that nobody caught, as behind a key of the screen: Node would print lines of its own around it. */
function endInWords(error: Error): never {
  // After the screen has given the terminal back.
  process.once("exit", () => process.stderr.write(`wisp: ${error.stack ?? error.message}\n`));
  process.exit(1);
}

function loaded(): object {
  const cache: unknown = Reflect.get(Module, "_cache");
  return typeof cache === "object" && cache !== null ? cache : {};
}

type Callable = (...given: readonly unknown[]) => unknown;

function isCallable(value: unknown): value is Callable {
  return typeof value === "function";
}
