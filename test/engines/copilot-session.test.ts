import { itFinishesARequest } from "./whole-session.ts";

itFinishesARequest("copilot", "a request becomes a finished branch, by copilot in all four roles", {
  costUsd: undefined,
  tokens: undefined,
});
