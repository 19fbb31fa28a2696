import { itFinishesARequest } from "./whole-session.ts";

itFinishesARequest("opencode", {
  title: "opencode builds a milestone, reviews it with a finding, fixes it and looks at it again",
  roles: ["builder", "reviewer"],
  tells: { costUsd: 0.00375, tokens: { input: 1_000, output: 50, cached: 0 } },
});
