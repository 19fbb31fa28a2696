import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ProcessSession } from "../rig/process-session.ts";

/** An executor besides `local`, whose places are beside those, and that can be out of reach. */
export interface SecondPlace {
  readonly name: string;
  readonly setLost: (isLost: boolean) => void;
}

/**
 * Describes it in the settings of the person whom the rig plays.
 *
 * @param directory the name of the directory of each place, as containers have it; by default it is the key of the place
 */
export function describeSecondPlace(rig: ProcessSession, directory?: string): SecondPlace {
  const home = String(rig.env["HOME"]);
  const places = join(home, ".local/state/wisp/places");
  const lost = join(rig.root, "second-is-lost");
  const own = join(rig.root, "second");
  const text = `#!/bin/sh
[ ! -e "${lost}" ] || { echo "no route" >&2; exit 75; }
root="${places}/${directory ?? "$WISP_PLACE_KEY"}"
case "$1" in
  create) mkdir -p "$root"; printf '{"id":"%s","root":"%s"}\\n' "$WISP_PLACE_KEY" "$root" ;;
  exec) shift 3; exec "$@" ;;
  status) if [ -d "$WISP_PLACE_ROOT" ]; then echo '{"state":"up"}'; else echo '{"state":"gone"}'; fi ;;
  destroy) rm -rf -- "$WISP_PLACE_ROOT" ;;
esac
`;
  writeFileSync(own, text, { mode: 0o755 });
  const words = ["create", "exec", "status", "destroy"].map((word) => `${word}: [${own}, ${word}]`);
  const settings = join(home, ".config/wisp");
  mkdirSync(settings, { recursive: true });
  const described = `executors:\n  second: { kind: command, ${words.join(", ")} }\n`;
  writeFileSync(join(settings, "config.yaml"), described);
  return {
    name: "second",
    setLost: (isLost) => (isLost ? writeFileSync(lost, "") : rmSync(lost, { force: true })),
  };
}
