import { Oid } from "../../base/oid.ts";

/** A reference as git's file of packed references has it (gitformat-packed-refs). */
export interface PackedRef {
  /** The full name, with one character per byte. */
  readonly name: string;
  readonly oid: Oid;
  /** The commit that a tag object names; absent: `oid` is a commit itself, or the file does not say. */
  readonly commit?: Oid | undefined;
}

/** What a file of packed references says. */
export interface PackedRefs {
  readonly refs: readonly PackedRef[];
  /** Whether it says of each tag object which commit it names, so that git need not read the object. */
  readonly isPeeled: boolean;
}

/** Reads such a file; lines that are not as git writes them are left out. */
export function parsePackedRefs(text: string): PackedRefs {
  const refs: PackedRef[] = [];
  let isPeeled = true;
  for (const line of text.split("\n")) {
    if (line.startsWith("#")) isPeeled = line.includes(" fully-peeled ");
    const [, peeled, oid, name] = LINE.exec(line) ?? [];
    const last = refs.at(-1);
    if (peeled !== undefined && last !== undefined) {
      refs[refs.length - 1] = { ...last, commit: Oid.parse(peeled) };
    } else if (oid !== undefined && name !== undefined) refs.push({ name, oid: Oid.parse(oid) });
  }
  return { refs, isPeeled };
}

const ID = "(?:[0-9a-f]{64}|[0-9a-f]{40})";
const LINE = new RegExp(`^(?:\\^(${ID})|(${ID}) (refs/[^ ]+))$`, "u");

/** The text of such a file. */
export function packedRefsText({ refs, isPeeled }: PackedRefs): string {
  const sorted = [...refs].sort((one, other) => (one.name < other.name ? -1 : 1));
  const lines = sorted.map(({ name, oid, commit }) =>
    commit === undefined ? `${oid} ${name}\n` : `${oid} ${name}\n^${commit}\n`,
  );
  const traits = isPeeled ? " peeled fully-peeled sorted " : " sorted ";
  return [`# pack-refs with:${traits}\n`, ...lines].join("");
}

/**
 * The text of a file with all that is wanted, and with what was there already under a name that `isKept`. What is kept
 * goes before what is wanted.
 */
export function mergedRefs(
  present: string,
  wanted: string,
  isKept: (name: string) => boolean,
): string {
  const before = parsePackedRefs(present);
  const kept = before.refs.filter(({ name }) => isKept(name));
  if (kept.length === 0) return wanted;
  const added = parsePackedRefs(wanted);
  const byName = new Map([...added.refs, ...kept].map((ref) => [ref.name, ref]));
  return packedRefsText({
    refs: [...byName.values()],
    isPeeled: before.isPeeled && added.isPeeled,
  });
}
