import { withoutEmphasis } from "./emphasis.ts";

/** What a heading says about a milestone. */
export type MilestoneHeading =
  | {
      readonly kind: "milestone";
      /** As written, neither cleaned nor trimmed; may be empty. */
      readonly name: string;
      /** `2`, `2b-ii`, `#3`, `IV`: what counts it, where something does. */
      readonly number: string | undefined;
    }
  /** Meant as one, but it does not say which. */
  | { readonly kind: "nearly" };

/** The form in which wisp writes them. */
const CANONICAL = /^Milestone:(?<name>.*)$/s;
/** A word that counts and is no word of a sentence: a number, a single letter, a Roman numeral. */
const NUMBER = String.raw`#?\d[\p{L}\p{N}.-]*|[A-Z]|[IVX]{2,6}`;
/** `Milestone 2: x`, `milestone - x`, `**Milestone 2b-ii:** x`, `Milestone 3`. */
const WRITTEN = new RegExp(
  String.raw`^(?<open>[*_\x60]*)milestone(?:[ \t]+(?<number>${NUMBER}))?(?<inner>[*_\x60]*)` +
    String.raw`(?:[ \t]*:|[ \t]+[–—-](?=\s)|(?=[ \t]*$))(?<rest>.*)$`,
  "isu",
);

/**
 * Reads the text of a heading, of whatever level. What only begins alike, such as `Milestones` or
 * `Milestone overview`, is undefined.
 */
export function readMilestoneHeading(text: string): MilestoneHeading | undefined {
  const canonical = CANONICAL.exec(text)?.groups?.["name"];
  if (canonical !== undefined) return { kind: "milestone", name: canonical, number: undefined };
  const groups = WRITTEN.exec(text)?.groups;
  if (groups === undefined) return undefined;
  const { open = "", inner = "", number, rest = "" } = groups;
  const name = withoutEmphasis(rest, { open, isClosed: inner === open });
  if (name.trim() !== "") return { kind: "milestone", name, number };
  return number === undefined
    ? { kind: "nearly" }
    : { kind: "milestone", name: `Milestone ${number}`, number };
}
