/**
 * Files under Git LFS: the longest pointer (its specification), what one session may bring into the person's store of
 * their content, and how many of those that are missing are named.
 */
export const LFS_POINTER_BYTES_MAX = 1024;
export const LFS_SESSION_BYTES_MAX = 5 * 1024 * 1024 * 1024;
export const LFS_MISSING_NAMED_MAX = 5;
