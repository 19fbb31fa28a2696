/** What a command in a container may use, unless the settings say otherwise: processes and threads, and memory. */
export const SANDBOX_PIDS_MAX = 4_096;
export const SANDBOX_MEMORY_GIB_MAX = 8;
/** How long a container may take to end when the process that it belongs to has ended, before it is removed. */
export const CONTAINER_END_MS_MAX = 5_000;
/** How often what holds a container looks whether the process that it belongs to is still there. */
export const CONTAINER_OWNER_LOOK_MS = 250;
/** How long a question to podman or docker may take: about an image, or in a container that answers at once. */
export const CONTAINER_PROBE_MS_MAX = 60_000;
