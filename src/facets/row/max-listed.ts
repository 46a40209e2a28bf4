/** The limit on buckets of a remote node in one list: more are not readable, and cost memory; `max` requests fewer. */
export const maxListed = 500_000;
