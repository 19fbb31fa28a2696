import { itFinishesARequest } from "./whole-session.ts";

itFinishesARequest("copilot", {
  title: "copilot builds a milestone, reviews it with a finding, fixes it and looks at it again",
  roles: ["builder", "reviewer"],
  tells: { costUsd: undefined, tokens: undefined },
});
