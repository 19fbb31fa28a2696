import type { FarCommand } from "../../base/ports/executor.ts";

/** How a sprite is kept awake while a detached command runs. */
export interface Awake {
  /** Absolute path, at the sprite, of the socket at which its own service listens. */
  readonly socket: string;
  /** The time between two renewals. */
  readonly everySeconds: number;
}

/**
 * `<socket> <task> <seconds> <argv …>`: becomes the command, and as long as it lives renews a task of the sprite's own
 * service, which would else freeze and later end it after half a minute without a connection. The task ends by itself
 * if nothing renews it.
 */
const KEEP_AWAKE_SCRIPT = `
socket=$1 task=$2 every=$3
shift 3
hold() {
  curl -s -m 10 --unix-socket "$socket" -H 'Content-Type: application/json' "$@" "http://sprite/v1/tasks/$task"
}
(
  while kill -0 $$; do
    hold -X PUT -d '{"expire":"5m"}'
    sleep "$every"
  done
  hold -X DELETE
) < /dev/null > /dev/null 2>&1 &
exec "$@"`;

/** A command that keeps its sprite awake until it ends. `task` is made of letters, digits and hyphens. */
export function keptAwake(
  task: string,
  { socket, everySeconds }: Awake,
  command: FarCommand,
): FarCommand {
  const words = [socket, task, String(everySeconds), ...command.argv];
  return { ...command, argv: ["sh", "-c", KEEP_AWAKE_SCRIPT, "wisp", ...words] };
}
