import { alone, itFinishesARequest } from "./whole-session.ts";

itFinishesARequest(
  "real Codex plans, builds, reviews, fixes, re-reviews and tests: a request becomes a finished branch",
  alone("codex"),
  { isOneByOne: true },
);
