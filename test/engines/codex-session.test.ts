import { ROLES } from "../../src/base/role.ts";
import { itFinishesARequest } from "./whole-session.ts";

itFinishesARequest("codex", {
  title:
    "real Codex plans, builds, reviews, fixes, re-reviews and tests: a request becomes a finished branch",
  roles: ROLES,
  tells: { costUsd: undefined, tokens: { input: 1_000, output: 50, cached: 0 } },
});
