import { itEndsCleanly, itTakesTurns, itTellsFailuresApart } from "./turn-claims.ts";

itTakesTurns("codex");
itTellsFailuresApart("codex");
itEndsCleanly("codex");
