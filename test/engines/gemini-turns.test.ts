import { itEndsCleanly, itTakesTurns, itTellsFailuresApart } from "./turn-claims.ts";

itTakesTurns("gemini");
itTellsFailuresApart("gemini");
itEndsCleanly("gemini");
