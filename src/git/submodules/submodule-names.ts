/**
 * The names of submodules by their paths, as a `.gitmodules` gives them; git keeps a submodule's repository under its
 * name. A name that would lead elsewhere is left out, as git does.
 */
export function submoduleNames(text: string): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  let name: string | undefined;
  for (const line of text.split(/\r?\n/u)) {
    const [, quoted, rest = ""] = SECTION.exec(line) ?? [];
    if (quoted !== undefined) name = unescaped(quoted);
    else if (/^\s*\[/u.test(line)) name = undefined;
    const [, value] = PATH.exec(quoted === undefined ? line : rest) ?? [];
    if (value === undefined || name === undefined || !isSafeName(name)) continue;
    const path = valueOf(value).replace(/\/+$/u, "");
    if (isSafeName(path)) names.set(path, name);
  }
  return names;
}

const SECTION = /^\s*\[submodule\s+"((?:[^"\\]|\\.)*)"\](.*)$/iu;
const PATH = /^\s*path\s*=\s*(.*)$/iu;

/** Whether no part of a path or name leads out of the folder that it is below. */
export function isSafeName(path: string): boolean {
  const parts = path.split(/[/\\]/u);
  return path !== "" && !path.startsWith("/") && !parts.some((part) => /^(?:\.\.?|)$/u.test(part));
}

function unescaped(text: string): string {
  return text.replace(/\\(.)/gu, "$1");
}

/** A value of git's configuration: quotes keep what they hold, and a comment ends it. */
function valueOf(written: string): string {
  const parts = written.match(/"(?:[^"\\]|\\.)*"|\\.|[^"\\#;]+|[#;].*$/gu) ?? [];
  const kept = parts.filter((part) => !/^[#;]/u.test(part));
  return kept
    .map((part) => unescaped(part.startsWith('"') ? part.slice(1, -1) : part))
    .join("")
    .trim();
}
