import { ROLES } from "../../src/base/role.ts";
import { itFinishesARequest } from "./whole-session.ts";

// Codex without its own sandbox, which does not run in another one.
itFinishesARequest("codex", {
  title: "real Codex finishes a request in bubblewrap, with its sessions kept from turn to turn",
  roles: ROLES,
  sandbox: "bubblewrap",
  tells: { costUsd: undefined, tokens: { input: 1_000, output: 50, cached: 0 } },
});
