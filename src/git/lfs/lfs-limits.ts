/**
 * Files under Git LFS: the longest pointer (its specification), what one session may bring into the person's store of
 * their content, and how many of those that are missing are named.
 */
export const LFS_POINTER_BYTES_MAX = 1024;
export const LFS_SESSION_BYTES_MAX = 5 * 1024 * 1024 * 1024;
export const LFS_MISSING_NAMED_MAX = 5;

/**
 * Content of files under Git LFS that one work tree is given: its sum, the shortest and the longest pointer in the form
 * that git-lfs writes, how many attribute files are read before they are taken to name it, and the size of the record.
 */
export const LFS_PLACED_BYTES_MAX = 5 * 1024 * 1024 * 1024;
export const LFS_EXACT_POINTER_BYTES_MIN = 120;
export const LFS_EXACT_POINTER_BYTES_MAX = 150;
export const LFS_ATTRIBUTE_FILES_MAX = 200;
export const LFS_RECORD_BYTES_MAX = 128 * 1024 * 1024;

/** How many contents a follower says that it has: what it does not name is sent once more with the next connection. */
export const ARRIVED_CONTENTS_MAX = 100_000;
