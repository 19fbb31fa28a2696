import { shown, type Words } from "./explanation.ts";
import type { FindingsFailure } from "./failures.ts";
import { count } from "./sentence.ts";

/** Ids that are named at once. */
const NAMED_MAX = 10;

/** Words for what cannot be done with a finding. */
export function explainFindings(failure: FindingsFailure): Words {
  switch (failure.kind) {
    case "no-such-finding": {
      const known = failure.known.slice(0, NAMED_MAX).join(", ");
      return [
        `The session ${failure.session} has no finding '${shown(failure.asked)}'.`,
        known === ""
          ? "Nothing was found in it yet. To see where it stands:"
          : `There are: ${known}`,
        known === "" ? `wisp status ${failure.session}` : `wisp findings ${failure.session}`,
      ];
    }
    case "finding-closed":
      return [
        `${failure.id} is closed already; there is nothing to dismiss.`,
        "To see what became of it:",
        `wisp findings show ${failure.id} --session ${failure.session}`,
      ];
    case "no-such-place": {
      const { file, line, lines, branch } = failure;
      const has = lines === undefined ? "" : `, which has ${count(lines, "line")}`;
      const what = lines === undefined ? "There is no file" : `There is no line ${String(line)} in`;
      return [
        `${what} ${shown(file)}${has}, on the branch ${shown(branch)}.`,
        "What is meant is the session's branch as it stands now, not your checkout.",
      ];
    }
  }
}
