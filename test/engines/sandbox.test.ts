import { ROLES } from "../../src/base/role.ts";
import { workingBubblewrap } from "../rig/sandboxed.ts";
import { itFinishesARequest } from "./whole-session.ts";

const bubblewrap = await workingBubblewrap();

// Codex without its own sandbox, which does not run in another one.
itFinishesARequest("codex", {
  title: "real Codex finishes a request in bubblewrap, with its sessions kept from turn to turn",
  roles: ROLES,
  sandbox: "bubblewrap",
  whyNot: "path" in bubblewrap ? undefined : bubblewrap.reason,
  tells: { costUsd: undefined, tokens: { input: 1_000, output: 50, cached: 0 } },
});
