import { itEndsCleanly, itTakesTurns, itTellsFailuresApart } from "./turn-claims.ts";

itTakesTurns("opencode");
itTellsFailuresApart("opencode");
itEndsCleanly("opencode");
