import { replaced, type Replacement } from "./in-checkout.ts";

type Environment = Readonly<Record<string, string>>;

/** A home that is the checkout itself, or in it, is still the person's. */
const NEVER = new Set(["HOME"]);

/**
 * The environment of a command in a folder that takes the place of the checkout. Each path in a value that leads into
 * the checkout becomes the same path in that folder; if it is not there, its entry is dropped, and so is a variable
 * of which nothing is left, or in which such a path is no entry of a list, as in JSON. The order stays.
 *
 * @param isOwn whether a variable is not about the project, and is left as it is
 */
export function rebaseEnvironment(
  env: Environment,
  by: Replacement,
  isOwn: (name: string) => boolean = () => false,
): Environment {
  const rebased = Object.entries(env).flatMap(([name, value]) => {
    if (NEVER.has(name) || isOwn(name) || !value.includes("/")) return [[name, value] as const];
    const left = value.trim().startsWith("-") ? optionsIn(value, by) : listIn(value, by);
    const isOdd = left !== undefined && pathsIn(left, by).length > 0;
    return left === undefined || isOdd ? [] : [[name, left] as const];
  });
  return Object.fromEntries(rebased);
}

/** Words of a command, in which paths of the checkout become those of the folder, whether or not they are there. */
export function rebaseWords(words: readonly string[], by: Replacement): readonly string[] {
  return words.map((word) => {
    const whole = word.startsWith("/") ? replaced(word, by) : undefined;
    if (whole !== undefined && whole.kind !== "stays") return whole.path;
    // From the end, so that the places before stay as they are.
    return pathsIn(word, by).reduceRight(
      (text, { at, path, to }) => text.slice(0, at) + to + text.slice(at + path.length),
      word,
    );
  });
}

/** `-I/a/include --require /a/hook.js`: a path that is dropped takes the option before it along. */
function optionsIn(text: string, by: Replacement): string | undefined {
  const words = text.split(/\s+/u).filter((word) => word !== "");
  const left: string[] = [];
  for (const word of words) {
    const found = listIn(word, by);
    if (found !== undefined) left.push(found);
    else if (!word.startsWith("-") && /^-[^=/]*$/u.test(left.at(-1) ?? "")) left.pop();
  }
  if (left.join(" ") === words.join(" ")) return text;
  return left.length === 0 ? undefined : left.join(" ");
}

/** What may stand before a list of paths: `--name=`, `-I`, `-javaagent:`, `NAME=`, a quote. */
const BEFORE = /^(?:-(?:[^/:=]*=|[^/:]*(?::(?=\/))?)|\w+=)?["']?/u;

/** A colon between entries, not that of a scheme such as `file:`. */
const COLON = /:(?<!(?:^|:)[a-z][a-z\d+.-]*:(?=\/\/))(?<!(?:^|:)file:)/u;

/** The entries of a list of paths; `undefined` if none is left. */
function listIn(text: string, by: Replacement): string | undefined {
  const [before = ""] = BEFORE.exec(text) ?? [];
  const list = text.slice(before.length);
  // A path with a colon cannot be in a list.
  const isOne = by.checkout.some((path) => path.includes(":") && list.startsWith(path));
  const left = (isOne ? [list] : list.split(COLON)).flatMap((entry) => entryIn(entry, by) ?? []);
  return left.length === 0 ? undefined : `${before}${left.join(":")}`;
}

/** The scheme of an address without a host, as in `file:///a` and `sqlite:////a`. */
const SCHEME = /^(?:file:(?:\/\/)?|[a-z][a-z\d+.-]*:\/\/\/?)(?=\/(?!\/))/u;

function entryIn(entry: string, by: Replacement): string | undefined {
  const [scheme = ""] = SCHEME.exec(entry) ?? [];
  const [, path = "", end = ""] = /^(.*?)(["']?)$/su.exec(entry.slice(scheme.length)) ?? [];
  if (!path.startsWith("/")) return entry;
  const found = replaced(scheme === "" ? path : unescaped(path), by);
  if (found.kind === "stays") return entry;
  if (found.kind === "gone") return undefined;
  return `${scheme}${scheme === "" ? found.path : encodeURI(found.path)}${end}`;
}

/** The path of an address, in which blanks and the like are written as `%20`. */
function unescaped(path: string): string {
  // With any other per cent sign, it is no address.
  if (/%(?![\da-f]{2})/iu.test(path)) return path;
  const parts = path.split(/(%[\da-f]{2})/iu);
  const bytes = parts.map((part, index) =>
    index % 2 === 1 ? Buffer.from(part.slice(1), "hex") : Buffer.from(part),
  );
  return Buffer.concat(bytes).toString();
}

interface Found {
  readonly at: number;
  readonly path: string;
  readonly to: string;
}

/** What ends a path in a text of any kind. */
const OUTSIDE = /[\s:;,="'`<>{}[\]()|&$]/u;

/** The paths in a text of any kind that begin with the checkout's own, in order, and where they would lead. */
function pathsIn(text: string, by: Replacement): readonly Found[] {
  const names = by.checkout.filter((name) => name !== "/");
  const found = names.flatMap((name) => {
    const places = text.split(name).slice(0, -1);
    const starts = places.map((_, index) => places.slice(0, index + 1).join(name).length);
    return starts
      .filter((at) => OUTSIDE.test(text[at - 1] ?? " "))
      .map((at) => [at, name] as const);
  });
  // Where several begin at the same place, one is in the other, and the path is the same.
  const starts = [...new Map(found.toReversed())];
  return starts
    .sort(([one], [other]) => one - other)
    .flatMap(([at, name]) => {
      const rest = `${text.slice(at + name.length)} `;
      const path = name + rest.slice(0, rest.search(OUTSIDE));
      const moved = replaced(path, by);
      return moved.kind === "stays" ? [] : [{ at, path, to: moved.path }];
    });
}
