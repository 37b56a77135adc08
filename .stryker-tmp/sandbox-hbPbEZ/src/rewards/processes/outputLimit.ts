/** Characters of output that are kept of one call; the Python worker has the same number. */
export const outputLimit = 8000;
