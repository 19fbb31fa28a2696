import { ROLES } from "../../src/base/role.ts";
import { itFinishesARequest } from "./whole-session.ts";

itFinishesARequest("claude", {
  title:
    "real Claude Code plans, builds, reviews, fixes, re-reviews and tests: a request becomes a finished branch",
  roles: ROLES,
  tells: { costUsd: 0.005, tokens: { input: 1_000, output: 50, cached: 0 } },
});
