/** The fields that say how far a total can be trusted. */
export const boundsFields = ['upper_bound', 'exists', 'exact', 'estimate'] as const;

/** What is read from the total: it is counted where one of these is selected. */
export const totalFields: ReadonlySet<string> = new Set(['total', ...boundsFields]);
