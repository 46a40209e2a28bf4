/** The limit on buckets of a remote node in one list: more are not readable, and cost memory; `max` requests fewer. */
export const maxListed = 500_000;

/** The limit on different values in the merged lists of all nodes: ordering as many takes more than a second. */
export const maxMerged = 1_000_000;
