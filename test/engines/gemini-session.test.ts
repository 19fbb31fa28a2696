import { itFinishesARequest } from "./whole-session.ts";

itFinishesARequest("gemini", {
  title: "gemini builds a milestone, reviews it with a finding, fixes it and looks at it again",
  roles: ["builder", "reviewer"],
  tells: { costUsd: undefined, tokens: { input: 1_000, output: 50, cached: 0 } },
});
