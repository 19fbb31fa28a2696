import { EXIT } from "../base/exit-code.ts";
import { refusal } from "../base/failure.ts";
import { shown } from "../base/words/shown.ts";

/** A command line that wisp does not understand. */
export const Usage = refusal("usage", EXIT.usage, ({ problem }: { readonly problem: string }) => [
  shown(problem),
  "More about it:",
  "wisp --help",
]);
export type Usage = ReturnType<typeof Usage>;
