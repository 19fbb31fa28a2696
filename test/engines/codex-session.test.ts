import { itFinishesARequest } from "./whole-session.ts";

itFinishesARequest("codex", "a request becomes a finished branch, by codex in all four roles", {
  costUsd: undefined,
  tokens: { input: 1_000, output: 50, cached: 0 },
});
