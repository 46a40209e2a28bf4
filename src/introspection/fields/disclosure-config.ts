/** What a caller may learn of a catalogue; each tier includes the ones before it. */
export const tiers = ['none', 'boolean', 'counts', 'records'] as const;
export type Tier = (typeof tiers)[number];

/** The tiers whose callers are answered from the release. */
export const guardedTiers = ['boolean', 'counts'] as const satisfies readonly Tier[];
export type GuardedTier = (typeof guardedTiers)[number];

/** What is released of a catalogue to callers who do not see its records: its disclosure.json. */
export interface DisclosureConfig {
  /** The tier of callers for whom no access rule names one. */
  readonly default: Tier;
  /** Counts below it are hidden, the others rounded down to its multiples. */
  readonly threshold: number;
  /** The most characteristics that are counted together. */
  readonly order: number;
  /** The field whose distinct values are counted, or `record`. */
  readonly unit: string;
  /** The field that divides the records into parts released apart; null for none. */
  readonly strata: string | null;
  readonly dimensions: readonly DimensionConfig[];
  /** The distance between two releases, in days. */
  readonly releaseEveryDays: number;
  /** Whether clients that do not select upper bounds get lower bounds, which they show as counts. */
  readonly lowerBoundsToOldClients: boolean;
}

/** A characteristic by which units are counted. */
export interface DimensionConfig {
  readonly fieldName: string;
  /** Ascending numbers between which a number is counted. */
  readonly edges?: readonly number[];
  readonly calendar?: CalendarUnit;
  /** The first and last interval of the calendar, as dates. */
  readonly from?: string;
  readonly to?: string;
  /** The values counted, some of them patterns with `*`. */
  readonly values?: readonly (string | number | boolean)[];
  /** Whether unlisted values are counted together; if not, there must be none. */
  readonly other?: boolean;
  /** How many of the most frequent values are counted. */
  readonly most?: number;
  /** A dimension of which each of these values has only one value. */
  readonly within?: { readonly fieldName: string; readonly values: Readonly<Record<string, string>> };
}

/** The intervals of dates that a release can count by. */
export const calendarUnits = ['year', 'quarter', 'month'] as const;
export type CalendarUnit = (typeof calendarUnits)[number];

/** A characteristic as a release counts by it, for everyone to know. */
export interface ReleasedDimension {
  readonly fieldName: string;
  /** Ascending, with both ends open; dates in epoch ms. Unset: its values are counted. */
  readonly edges?: readonly number[];
}
