import { workingBubblewrap } from "./sandboxed.ts";

const bubblewrap = await workingBubblewrap();
const why = "path" in bubblewrap ? "" : ` (skipped: ${bubblewrap.reason})`;

/** The sandboxes with which whole sessions are run. Tests of one that is not there are skipped, and counted. */
export const SESSION_SANDBOXES = [
  { sandbox: "none", where: "without a sandbox", isThere: true },
  { sandbox: "bubblewrap", where: `in bubblewrap${why}`, isThere: why === "" },
] as const;
