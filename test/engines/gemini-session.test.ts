import { itFinishesARequest } from "./whole-session.ts";

itFinishesARequest("gemini", "a request becomes a finished branch, by gemini in all four roles", {
  costUsd: undefined,
  tokens: { input: 1_000, output: 50, cached: 0 },
});
