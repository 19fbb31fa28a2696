import {
  itBindsItsWord,
  itEndsCleanly,
  itTakesTurns,
  itTellsFailuresApart,
} from "./turn-claims.ts";

itTakesTurns("codex");
itTellsFailuresApart("codex");
itEndsCleanly("codex");
itBindsItsWord("codex");
