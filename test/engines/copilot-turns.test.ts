import { itEndsCleanly, itTakesTurns, itTellsFailuresApart } from "./turn-claims.ts";

itTakesTurns("copilot");
itTellsFailuresApart("copilot");
itEndsCleanly("copilot");
