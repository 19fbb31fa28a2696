import { shown, type Words } from "./explanation.ts";
import type { AttachFailure } from "./failures.ts";
import { shellWord } from "./shell-word.ts";

/** Words for why nobody was attached to a role's engine. */
export function explainAttach(failure: AttachFailure): Words {
  switch (failure.kind) {
    case "no-terminal": {
      const { session, role } = failure;
      return [
        `To be attached to the ${role}, somebody has to sit at a terminal.`,
        "Nobody was interrupted. Give the command in a terminal, without CI or --no-input, or only look:",
        `wisp attach ${shellWord(session)} ${role}`,
        `wisp tail ${role} ${shellWord(session)} --follow`,
      ];
    }
    case "not-interactive":
      return [
        `The engine ${shown(failure.engine)} of the ${failure.role} takes turns only: nobody can be attached to it.`,
        "Nobody was interrupted. The work tree of the role, to look at, or to work in while the session is stopped:",
        `cd ${shellWord(failure.directory)}`,
      ];
  }
}
