import { MISTAKES_IN_CLONES } from "./mistakes-in-clones.ts";
import { MISTAKES_IN_EVIDENCE } from "./mistakes-in-evidence.ts";
import { MISTAKES_IN_LOGS } from "./mistakes-in-logs.ts";
import { MISTAKES_IN_LOOKS } from "./mistakes-in-looks.ts";
import { MISTAKES_IN_NETWORKS } from "./mistakes-in-networks.ts";
import { MISTAKES_IN_OBJECTS } from "./mistakes-in-objects.ts";
import { MISTAKES_IN_REPEATS } from "./mistakes-in-repeats.ts";
import type { PlantedMistake } from "./planted-mistake.ts";

/**
 * What was made fast rests on guards: a hash, a size, a lock, a look at what a clone holds. What is decided rests on rules.
 * Each of them is left out here, alone.
 */
export const PLANTED_MISTAKES: readonly PlantedMistake[] = [
  ...MISTAKES_IN_LOGS,
  ...MISTAKES_IN_OBJECTS,
  ...MISTAKES_IN_REPEATS,
  ...MISTAKES_IN_CLONES,
  ...MISTAKES_IN_LOOKS,
  ...MISTAKES_IN_EVIDENCE,
  ...MISTAKES_IN_NETWORKS,
];
