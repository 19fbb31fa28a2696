import { itEndsCleanly, itTakesTurns, itTellsFailuresApart } from "./turn-claims.ts";

itTakesTurns("claude");
itTakesTurns("claude-old");
itTellsFailuresApart("claude");
itEndsCleanly("claude");
