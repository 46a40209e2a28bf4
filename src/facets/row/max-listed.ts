/** More buckets of a remote node in one list are no picture, and cost memory; `max` asks for fewer. */
export const maxListed = 500_000;
