/** What a person does in the portal, in this order. */
export const actions = ['start', 'explore', 'facet', 'typing', 'search', 'paging', 'download'] as const;

export type Action = (typeof actions)[number];

/** What a user is told to do. */
export interface Visit {
  readonly url: string;
  /** The address that the proxy reports. */
  readonly address: string;
  /** Different users choose different values and words. */
  readonly number: number;
  /** Actions begin until then; the one that has begun is finished. */
  readonly seconds: number;
  /** Between the answer to one action and the next action. */
  readonly pauseMs: number;
}

/** One action, until the page had everything. */
export interface Seen {
  readonly action: Action;
  readonly ms: number;
  /** Why the page lacked something; null: it was whole. */
  readonly problem: string | null;
}

export interface Visited {
  readonly seen: readonly Seen[];
  readonly requests: number;
  /** Answers of 429 and 503 and refusals for cost, each repeated request too: how many, by kind. */
  readonly refusals: Readonly<Record<string, number>>;
}
