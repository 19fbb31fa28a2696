import { assert } from "../../base/assert.ts";
import { isImageName } from "../../base/words/image-name.ts";
import type { PlaceWishes } from "../../base/ports/executor.ts";

/** Where the volume of a place is in its container. The place itself is a directory there, of the image's own user. */
const VOLUME_PATH = "/wisp";
/** The root of a place in its container. */
export const CONTAINER_ROOT = `${VOLUME_PATH}/place`;

/** The number of processes and threads at a place: builds on many cores need some hundreds. */
const CONTAINER_PIDS_MAX = 4_096;
/** The memory of a place for which none was wished. */
const CONTAINER_MEMORY_BYTES = 8 * 1024 * 1024 * 1024;
/** The time between TERM and KILL when a container is stopped. */
const CONTAINER_STOP_GRACE_S = 5;
/** The length of a host's name, which is one shorter in some systems than that of a container may be. */
const HOST_NAME_CHARS_MAX = 63;

/**
 * The first process of a container: it does nothing until it is told to end, but collects what ended and has no parent
 * left. (The option --init does the same with a program that is not everywhere.)
 */
const KEEPER_SCRIPT = "trap exit TERM; while :; do sleep 3600 & wait; done";

/** What a container is made of. */
export interface ContainerMake {
  /** The name of the container and of its volume. */
  readonly id: string;
  readonly image: string;
  readonly wishes: PlaceWishes;
  /** More arguments of `run`, which may replace those of wisp. */
  readonly more?: readonly string[] | undefined;
}

/**
 * The arguments of `run` for the container of a place. It sees nothing of this machine: no directory, no socket. Its
 * processes can gain no rights, and have none of the special ones of root.
 */
export function runWords({ id, image, wishes, more = [] }: ContainerMake): readonly string[] {
  const { key, cpus, memoryBytes = CONTAINER_MEMORY_BYTES, labels = {} } = wishes;
  assert(isImageName(image), "the image would be read as an option");
  const allLabels = Object.entries({ ...labels, "wisp.place": key });
  return [
    ...["--detach", "--pull=missing", "--name", id],
    ...["--hostname", id.slice(0, HOST_NAME_CHARS_MAX)],
    ...["--volume", `${id}:${VOLUME_PATH}`],
    ...["--security-opt", "no-new-privileges", "--cap-drop", "all"],
    ...["--pids-limit", String(CONTAINER_PIDS_MAX)],
    ...["--memory", `${String(memoryBytes)}b`],
    ...(cpus === undefined ? [] : ["--cpus", String(cpus)]),
    ...allLabels.flatMap(([label, value]) => ["--label", `${label}=${value}`]),
    ...["--stop-signal", "TERM", "--stop-timeout", String(CONTAINER_STOP_GRACE_S)],
    ...["--entrypoint", "sh"],
    ...more,
    ...[image, "-c", KEEPER_SCRIPT],
  ];
}

/** `<path>`: makes the root of a place, unless the volume belongs to another user than the image's. */
export const ROOT_SCRIPT = `umask 077; mkdir -p -- "$1"`;

/** Prints the user and the group of the image, as numbers. */
export const OWNER_SCRIPT = `echo "$(id -u):$(id -g)"`;

/** The arguments of `run` that give a volume to a user, given as `<user>:<group>`. */
export function chownWords(id: string, image: string, owner: string): readonly string[] {
  return [
    ...["--rm", "--network", "none", "--user", "0:0", "--volume", `${id}:${VOLUME_PATH}`],
    ...["--entrypoint", "chown", image, owner, VOLUME_PATH],
  ];
}
