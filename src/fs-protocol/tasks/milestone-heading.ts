import { withoutEmphasis } from "./emphasis.ts";

/** What a heading states about a milestone. */
export type MilestoneHeading =
  | {
      readonly kind: "milestone";
      /** As written, neither cleaned nor trimmed; may be empty. */
      readonly name: string;
      /** Its number, if it has one: `2`, `2b-ii`, `#3`, `IV`. */
      readonly number: string | undefined;
    }
  /** Meant as a milestone, but without a name or number. */
  | { readonly kind: "nearly" };

/** The form that wisp writes. */
const CANONICAL = /^Milestone:(?<name>.*)$/s;
/** A number, a single letter or a Roman numeral, as opposed to a word of a sentence. */
const NUMBER = String.raw`#?\d[\p{L}\p{N}.-]*|[A-Z]|[IVX]{2,6}`;
/** `Milestone 2: x`, `milestone - x`, `**Milestone 2b-ii:** x`, `Milestone 3`. */
const WRITTEN = new RegExp(
  String.raw`^(?<open>[*_\x60]*)milestone(?:[ \t]+(?<number>${NUMBER}))?(?<inner>[*_\x60]*)` +
    String.raw`(?:[ \t]*:|[ \t]+[\u2013\u2014-](?=\s)|(?=[ \t]*$))(?<rest>.*)$`,
  "isu",
);

/**
 * Reads the text of a heading of any level. Returns undefined for headings that only begin alike,
 * such as `Milestones` or `Milestone overview`.
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
