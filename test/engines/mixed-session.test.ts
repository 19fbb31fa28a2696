import { itFinishesARequest, sandboxHere, type Cast } from "./whole-session.ts";

const { sandbox, where } = await sandboxHere();

/** Rotated, so that over the five sessions each CLI plays each of the four roles. */
const CASTS: readonly Cast[] = [
  { planner: "claude", builder: "codex", reviewer: "copilot", tester: "gemini" },
  { planner: "codex", builder: "copilot", reviewer: "gemini", tester: "opencode" },
  { planner: "copilot", builder: "gemini", reviewer: "opencode", tester: "claude" },
  { planner: "gemini", builder: "opencode", reviewer: "claude", tester: "codex" },
  { planner: "opencode", builder: "claude", reviewer: "codex", tester: "copilot" },
];

for (const cast of CASTS) {
  const { planner, builder, reviewer, tester } = cast;
  itFinishesARequest(
    `${planner} plans, ${builder} builds, ${reviewer} reviews and ${tester} tests: prose becomes a finished branch, ${where}`,
    cast,
    { sandbox },
  );
}
