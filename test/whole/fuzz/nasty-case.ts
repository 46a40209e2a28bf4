import type { HttpRequest } from './http-exchange.ts';

/**
 * What has to come of a case: `refused` gives no data at all, `everything` and `nothing` are the number of documents
 * counted, `survives` is any proper answer.
 */
export type Outcome = 'refused' | 'everything' | 'nothing' | 'survives';

export type NastyCase = readonly [name: string, request: HttpRequest, outcome: Outcome];
