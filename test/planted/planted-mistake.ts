import type { Edit } from "../rig/planting.ts";

/** A mistake in a guard of the shipped source, and the test that must find it. */
export interface PlantedMistake {
  readonly mistake: string;
  readonly edits: readonly Edit[];
  readonly foundBy: {
    /** Below `test/`. */
    readonly file: string;
    /** How the test's title begins. */
    readonly title: string;
  };
}
