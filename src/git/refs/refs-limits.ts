/** The tags that clones get, the length of the file in which they stand, and that of the pack of their objects. */
export const BASE_REFS_MAX = 100_000;
export const BASE_REFS_BYTES_MAX = 64 * 1024 * 1024;
export const BASE_TAGS_BYTES_MAX = 256 * 1024 * 1024;
/** What a session that moves to another machine takes along of these; beyond that, they are found there anew. */
export const MOVED_REFS_BYTES_MAX = 32 * 1024 * 1024;
