import { PLANTED, type Planted } from "./planted.ts";
import { PLANTED_APPROVAL } from "./planted-approval.ts";
import { PLANTED_BASE } from "./planted-base.ts";
import { PLANTED_COVER } from "./planted-cover.ts";
import { PLANTED_EDITS } from "./planted-edits.ts";
import { PLANTED_FINAL } from "./planted-final.ts";
import { PLANTED_FIXES } from "./planted-fixes.ts";
import { PLANTED_REMOTE } from "./planted-remote.ts";
import { PLANTED_STUCK } from "./planted-stuck.ts";
import { PLANTED_TICKS } from "./planted-ticks.ts";

/** Every naive rule that the exploration must detect. */
export const ALL_PLANTED: readonly Planted[] = [
  ...PLANTED,
  ...PLANTED_APPROVAL,
  ...PLANTED_BASE,
  ...PLANTED_COVER,
  ...PLANTED_EDITS,
  ...PLANTED_FINAL,
  ...PLANTED_FIXES,
  ...PLANTED_REMOTE,
  ...PLANTED_STUCK,
  ...PLANTED_TICKS,
];
