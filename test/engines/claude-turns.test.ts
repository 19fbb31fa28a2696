import {
  itBindsItsWord,
  itEndsCleanly,
  itTakesTurns,
  itTellsFailuresApart,
} from "./turn-claims.ts";

itTakesTurns("claude");
itTakesTurns("claude-old");
itTellsFailuresApart("claude");
itEndsCleanly("claude");
itBindsItsWord("claude");
itBindsItsWord("claude-old");
