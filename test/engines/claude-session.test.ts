import { alone, itFinishesARequest } from "./whole-session.ts";

itFinishesARequest(
  "real Claude Code plans, builds, reviews, fixes, re-reviews and tests: a request becomes a finished branch",
  alone("claude"),
  { isOneByOne: true },
);
