import { itFinishesARequest } from "./whole-session.ts";

itFinishesARequest(
  "opencode",
  "a request becomes a finished branch, by opencode in all four roles",
  { costUsd: 0.00375, tokens: { input: 1_000, output: 50, cached: 0 } },
);
