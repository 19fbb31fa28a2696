/** Submodules that are filled in a clone or a verify tree, nested ones included, how deep, and their files' size together. */
export const SUBMODULES_FILLED_MAX = 100;
export const SUBMODULES_DEPTH_MAX = 5;
export const SUBMODULES_BYTES_MAX = 4 * 1024 * 1024 * 1024;
/** The size of a `.gitmodules`, and of wisp's record of the submodules that it filled. */
export const GITMODULES_BYTES_MAX = 1024 * 1024;
/** How many files that name commits are read in the repositories of a clone's submodules. */
export const SUBMODULE_REFS_MAX = 2_000;
