import { isDeepStrictEqual } from 'node:util';
import { measureRow } from '../../facets/measures.ts';
import { aggregationName } from '../../introspection/fields/field.ts';
import { maxTypes } from '../remote/discovery/introspect.ts';
import type { GraphqlAnswer } from '../remote/http-executor.ts';
import type { RemoteCatalogue } from '../remote/remote-catalogue.ts';
import { isGivenByAnother } from '../remote/substitute-measures.ts';
import type { NodeUp } from './node-view.ts';

/** What can be queried at a node, according to its discovery. */
export const offeredBy = (remote: RemoteCatalogue): Omit<NodeUp, 'kind' | 'search' | 'institutions'> => {
  return {
    fields: remote.fields,
    extended: remote.extended,
    aggregates: (path, measure) => {
      const kind = remote.fields.get(path)?.kind;
      const offered = remote.aggregations.get(aggregationName(path));
      // totals count sets if no facet does
      const isCounted = measure === 'groups' && offered !== undefined;
      if (isCounted) return kind === 'keyword' || kind === 'number' || kind === 'boolean';
      const wanted = kind === 'number' || kind === 'date' ? 'numbers' : 'values';
      // text is listed there like keyword, but refused when queried
      if (kind === 'text' || offered?.type !== wanted) return false;
      return offered.fields.has(measureRow(measure).remoteField) || isGivenByAnother(remote, path, measure);
    },
    dialectOf: () => remote.dialect,
    isWhole: remote.dialect === 'tributary',
    ...(remote.isNetwork && { isNetwork: true as const }),
    ...(remote.withheld && { withheld: remote.withheld }),
  };
};

/** Notices about the result of discovery, for operators. */
export const discoveryWarnings = ({ inferred, schema, cutFrom }: RemoteCatalogue): readonly string[] => [
  ...(inferred
    ? [
        'its fields are inferred from GraphQL names because it does not answer configs { extended }; filters may miss some records',
      ]
    : []),
  ...(cutFrom === null
    ? []
    : [`its schema has ${cutFrom} types, more than ${maxTypes}: it has no root field of its own here`]),
  ...(schema.isValid ? [] : ['its schema is not valid GraphQL: it has no root field of its own here']),
];

/** Whether a node offers the same as before: the same schema, under the same names. */
export const hasSameOffer = (one: RemoteCatalogue, other: RemoteCatalogue): boolean =>
  one.version === other.version &&
  one.idPath === other.idPath &&
  isDeepStrictEqual([one.withheld, one.released], [other.withheld, other.released]) &&
  isDeepStrictEqual([one.extended, one.fields], [other.extended, other.fields]) &&
  isDeepStrictEqual(one.institutions, other.institutions) &&
  one.schema.fingerprint === other.schema.fingerprint;

export interface SchemaWatchSettings {
  /** Rediscovers the node; false: it did not answer. */
  readonly recheck: () => Promise<boolean>;
  /** The minimum time between two rechecks, in milliseconds: servers behind one address may differ. */
  readonly minIntervalMs: number;
  /**
   * Whether the node may have offered less at its discovery than at its first answer: a network that started at the same
   * time as this one did not know all of its nodes.
   */
  readonly mayHaveGrown: () => boolean;
}

/**
 * Rechecks a node whose answers show a changed offer: nodes of this software report the fingerprint of what can be
 * queried, and any node refuses what it no longer has.
 */
export class SchemaWatch {
  readonly #settings: SchemaWatchSettings;
  #known: string | null = null;
  #notBeforeMs = 0;

  constructor(settings: SchemaWatchSettings) {
    this.#settings = settings;
  }

  /** Reads an answer of the node; a recheck runs in the background. */
  onAnswer(answer: GraphqlAnswer): void {
    const { schema = this.#known } = answer;
    const isFirst = this.#known === null;
    const isChanged = isFirst ? schema !== null && this.#settings.mayHaveGrown() : schema !== this.#known;
    if (isFirst) this.#known = schema;
    if ((!isChanged && !isInvalid(answer)) || performance.now() < this.#notBeforeMs) return;
    this.#notBeforeMs = performance.now() + this.#settings.minIntervalMs;
    void this.#settings.recheck().then((isDiscovered) => {
      if (isDiscovered) this.#known = schema;
    });
  }
}

/** The query was made for another schema, or is too large for this one. */
const isInvalid = ({ errors = [] }: GraphqlAnswer): boolean =>
  errors.some(({ extensions }) => extensions?.['code'] === 'GRAPHQL_VALIDATION_FAILED');
