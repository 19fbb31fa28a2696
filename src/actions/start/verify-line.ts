import type { SessionJson } from "../../fs-protocol/home/session-json.ts";
import { shellWord } from "../../base/words/shell-word.ts";

/** Names the commands that prove a milestone, or says that there are none. */
export function verifyLine(verify: SessionJson["verify"]): string {
  return verify.length === 0
    ? "wisp: no verify command: only ticks and commits show what is done, until a milestone brings tests (`verify` in .wisp/config.yaml)"
    : `Verified by: ${verify.map((argv) => argv.map(shellWord).join(" ")).join(", then ")}`;
}
