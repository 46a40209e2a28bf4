import { asTributaryError } from '../lib/errors/errors.ts';
import type { JsonObject } from '../lib/json/json.ts';
import type { TopHitsRequest } from '../engines/measure.ts';
import { tierOf, type Catalogue } from './catalogue.ts';
import { lowerOf } from './count.ts';
import type { CatalogueQuery, CatalogueResult, FacetMeasure, HitsRequest, SearchFn } from './query.ts';
import { filtersIn } from './query.ts';
import type { AuditedQuestion, AuditFn, RequestContext } from './request-context.ts';

/** The record of which queries reached a catalogue: appended to, never changed. */
export interface Trail {
  /**
   * Writes a line to the operating system.
   * @throws TributaryError NOT_READY when that fails, and the trail is required
   */
  readonly write: (entry: JsonObject) => void;
  /** Signs and closes the current file. */
  readonly close: () => void;
}

/** The properties of a question that are known before it is answered. */
export type Question = Omit<AuditedQuestion, 'state' | 'rows' | 'total' | 'tookMs'>;

/** The properties of an answer that are recorded. */
type Outcome = Partial<Pick<AuditedQuestion, 'state' | 'fields' | 'rows' | 'total' | 'nodes'>>;

/**
 * Records a question once it is answered or refused, before the answer is passed on.
 * @param questionOf describes the query; called at the end
 * @throws whatever `run` throws, and NOT_READY when it cannot be recorded although that is required
 */
export const auditing = async <Answer>(
  audit: AuditFn,
  run: () => Promise<Answer>,
  questionOf: () => Question | Promise<Question>,
  outcomeOf: (answer: Answer) => Outcome,
): Promise<Answer> => {
  const startedMs = performance.now();
  const write = async (state: string, outcome: Outcome): Promise<void> => {
    const question = await questionOf();
    const tookMs = performance.now() - startedMs;
    audit({ ...question, state, rows: 0, total: null, ...outcome, tookMs });
  };
  let answer: Answer;
  try {
    answer = await run();
  } catch (error) {
    await write(asTributaryError(error).code, {});
    throw error;
  }
  await write('ok', outcomeOf(answer));
  return answer;
};

/** What the audit trail records of a search. */
export interface AuditedSearch {
  /** null: a network, whose nodes have their own. */
  readonly catalogue: Pick<Catalogue, 'id' | 'config'> | null;
  /** The network's name, whose calls have a trace each; default: not a network. */
  readonly network?: string;
  /** The prefix of its field names; default: none. */
  readonly prefix?: string;
  /** The fields that a page shows; default: those that it requests. */
  readonly fieldsOf?: (page: HitsRequest) => readonly string[];
}

/** A search that records each question before it passes on the answer. */
export const auditedSearch =
  <Query extends CatalogueQuery>(search: SearchFn<Query>, audited: AuditedSearch): SearchFn<Query> =>
  (query, context) => {
    const { catalogue, network = null, prefix = '' } = audited;
    return auditing(
      context.observer.onQuestion,
      () => search(query, context),
      async () => ({
        ...{ catalogueId: catalogue?.id ?? null, network, filters: query.filters },
        nodes: network === null ? [] : context.trace.queried,
        facetFilters: filtersIn(null, query.facets),
        tier: catalogue && (await tierOf(catalogue, context.caller).catch(() => null)),
        fields: fieldsOf(query, audited).map((field) => prefix + field),
        kind: wantsRows(query) ? 'rows' : 'count',
      }),
      ({ hits, total, facets }: CatalogueResult) => ({
        total: total === null ? null : lowerOf(total),
        rows: hits.length + topHitsIn(facets),
      }),
    );
  };

const wantsRows = ({ hits, facets }: CatalogueQuery): boolean =>
  (hits !== null && hits.first > 0) || facets.some(({ measure }) => topHitsOf(measure) !== undefined);

const topHitsOf = (measure: FacetMeasure): TopHitsRequest | undefined =>
  measure.kind === 'terms' ? measure.topHits : undefined;

const topHitsIn = (facets: CatalogueResult['facets']): number =>
  facets
    .flatMap((facet) => (facet.kind === 'terms' ? facet.buckets : []))
    .filter(({ topHit }) => topHit !== undefined && topHit !== null).length;

/** The fields that are shown, summarized or sorted by. */
const fieldsOf = (
  { facets, hits }: CatalogueQuery,
  { fieldsOf: shownIn = ({ fields }) => fields ?? ['*'] }: Pick<AuditedSearch, 'fieldsOf'>,
): readonly string[] => {
  const page = hits !== null && hits.first > 0 ? hits : null;
  const facetFields = facets.flatMap(({ field, measure }) => {
    const topHits = topHitsOf(measure);
    return topHits === undefined ? [field] : [field, ...(topHits.source ?? ['*'])];
  });
  const sorted = page?.sort.map(({ fieldName }) => fieldName) ?? [];
  return [...new Set([...facetFields, ...(page === null ? [] : shownIn(page)), ...sorted])];
};

/** For one file of several catalogues: all pages of a catalogue are one question. */
export const asDownload = (context: RequestContext, fields: readonly string[]): RequestContext => {
  const known = new Set<string>();
  return context.withSteps((step) => {
    const name = JSON.stringify([step.catalogueId, step.state]);
    if (known.has(name)) return;
    known.add(name);
    context.observer.onQuestion({ ...step, fields, kind: 'download', rows: step.total ?? step.rows });
  });
};

/** Collects the steps of one question, and records them as one. */
export const auditSteps = (context: RequestContext) => {
  const steps: AuditedQuestion[] = [];
  return {
    context: context.withSteps((step) => void steps.push(step)),
    /** Nothing is written before the first step. */
    write: (changes: Partial<AuditedQuestion>): void => {
      const last = steps.at(-1);
      if (last === undefined) return;
      const tookMs = steps.reduce((sum, step) => sum + step.tookMs, 0);
      context.observer.onQuestion({ ...last, rows: 0, tookMs, ...changes });
    },
  };
};

/** The target of a query: a catalogue, or a network by its name. */
export type AuditTarget = Pick<AuditedQuestion, 'catalogueId' | 'network'>;

/** Audits that a caller was refused before any search; the error is rethrown. */
export const auditedRefusal =
  (audit: AuditFn, target: AuditTarget, kind: AuditedQuestion['kind'] = 'count') =>
  (error: unknown): never => {
    const { code } = asTributaryError(error);
    audit({
      ...{ ...target, kind, nodes: [], filters: null, fields: [] },
      ...{ state: code, rows: 0, total: null, tookMs: 0 },
    });
    throw error;
  };
