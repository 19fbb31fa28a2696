import { scriptOf } from "../../settings/detect/package-json.ts";
import type { RootFiles } from "../../settings/detect/root-files.ts";
import { wordsIn } from "../harness/shell-words.ts";

const SCRIPTS_MAX = 50;

/** The scripts of a package.json that run when its tests do, by their names. */
export function testScripts(root: RootFiles): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const waiting = ["pretest", "test", "posttest"];
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
    const text = found.has(name) || found.size === SCRIPTS_MAX ? undefined : scriptOf(root, name);
    if (text === undefined) continue;
    found.set(name, text);
    waiting.push(...startedIn(text).flatMap((each) => [`pre${each}`, each, `post${each}`]));
  }
  return found;
}

/** Other scripts of the same file that one starts: `npm run lint`, `yarn lint`. */
function startedIn(text: string): readonly string[] {
  const words = wordsIn(text);
  return words.filter((word, index) => {
    const before = words[index - 1] ?? "";
    const isStarter = /^(?:run|run-[sp]|npm-run-all|pnpm|yarn|bun)$/.test(before);
    return isStarter && !word.startsWith("-");
  });
}

/** Scripts that npm runs itself when it installs, which may make files. */
const ON_INSTALL = ["preinstall", "install", "postinstall", "prepare"];

/** Whether installing, or the tests' own scripts, may make files that are not in the commit. */
export function mayMakeFiles(root: RootFiles): boolean {
  if (ON_INSTALL.some((name) => scriptOf(root, name) !== undefined)) return true;
  const scripts = testScripts(root);
  if (scripts.has("pretest")) return true;
  return [...scripts].some(([name, text]) => MAKES.test(name) || MAKES.test(text));
}

const MAKES = /build|generat|codegen|compile|bundle|\btsc\b|protoc|prisma|turbo|\bnx\b|lage|wireit/;
