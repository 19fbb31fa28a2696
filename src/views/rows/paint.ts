import type { Role } from "../../base/role.ts";
import type { Tone } from "../../base/words/sentence.ts";

/** Who speaks in the view of a session. */
export type Speaker = Role | "wisp" | "you";

/** Colours of a terminal, or none. */
export interface Paint {
  readonly tone: (tone: Tone, text: string) => string;
  /** One stable colour per speaker. */
  readonly speaker: (speaker: Speaker, text: string) => string;
  readonly strong: (text: string) => string;
  readonly faint: (text: string) => string;
}

const asItIs = (text: string): string => text;

/** No colours: every text stays as it is. */
export const PLAIN: Paint = {
  tone: (_tone, text) => text,
  speaker: (_speaker, text) => text,
  strong: asItIs,
  faint: asItIs,
};
