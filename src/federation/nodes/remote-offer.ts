import { isDeepStrictEqual } from 'node:util';
import type { MeasureKind } from '../../engines/measure.ts';
import { measureRow } from '../../facets/measures.ts';
import type { FacetType } from '../../facets/row/measure-row.ts';
import type { RemoteSource } from '../config/nodes.ts';
import type { NodeUp } from './node-view.ts';
import { maxTypes } from '../remote/discovery/introspect.ts';
import { isEstablishedMeasure, establishedSearch, type SendDocument } from '../remote/established.ts';
import type { GraphqlAnswer } from '../remote/http-executor.ts';
import { printQuery } from '../remote/print-query.ts';
import { readAnswer } from '../remote/read-answer.ts';
import { isNetwork, byDocumentId, type RemoteCatalogue } from '../remote/remote-catalogue.ts';
import type { Dialect } from '../../graphql/protocol.ts';
import { aggregationName, type Field } from '../../introspection/fields/field.ts';
import type { CatalogueQuery, CatalogueResult } from '../../search/query.ts';

/** What can be queried at a node, according to its discovery. */
export const offeredBy = (remote: RemoteCatalogue): Omit<NodeUp, 'kind' | 'search' | 'institutions'> => ({
  fields: remote.fields,
  extended: remote.facts.extended ?? [],
  aggregates: (path, measure) => {
    const field = remote.fields.get(path);
    const type = remote.aggregations.get(aggregationName(path));
    if (field === undefined || type === undefined) return false;
    return givesMeasure(remote.dialect, measure, type, field);
  },
  dialectOf: () => remote.dialect,
  isWhole: remote.dialect === 'tributary',
  ...(isNetwork(remote) && { isNetwork: true as const }),
  ...(remote.disclosure && { withheld: remote.disclosure.withheld }),
});

/** What each dialect gives is fixed: all measures by the protocol, or the list of the established server. */
const givesMeasure = (dialect: Dialect, measure: MeasureKind, type: FacetType, field: Field): boolean => {
  const isOfNumbers = field.kind === 'number' || field.kind === 'date';
  // sets are counted whatever the type of the facet
  if (measure === 'groups') return field.kind !== 'date' && (isOfNumbers || isOfNames(field));
  // text is listed there like keyword, but refused when queried
  if (field.kind === 'text' || type !== (isOfNumbers ? 'numbers' : 'values')) return false;
  if (dialect === 'established') return isEstablishedMeasure(measure, type, field);
  const { fields, remoteField } = measureRow(measure);
  return fields[type]?.[remoteField] !== undefined;
};

const isOfNames = ({ kind }: Field): boolean => kind === 'keyword' || kind === 'boolean';

/** Notices about the result of discovery, for operators. */
export const discoveryWarnings = ({ facts, schema }: RemoteCatalogue): readonly string[] => [
  ...(facts.extended === null
    ? [
        'its fields are inferred from GraphQL names because it does not answer configs { extended }; filters may miss some records',
      ]
    : []),
  ...(schema.cutFrom === null
    ? []
    : [
        `its schema has ${schema.cutFrom} types, more than ${maxTypes}: it has no root field of its own here`,
      ]),
  ...(schema.isValid ? [] : ['its schema is not valid GraphQL: it has no root field of its own here']),
];

/** Whether a node offers the same as before: the same schema, under the same names. */
export const hasSameOffer = (one: RemoteCatalogue, other: RemoteCatalogue): boolean =>
  one.schema.fingerprint === other.schema.fingerprint &&
  isDeepStrictEqual(
    [one.dialect, one.facts, one.disclosure, one.fields],
    [other.dialect, other.facts, other.disclosure, other.fields],
  );

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

/** Answers a query by the documents that it sends. */
export type SearchNode = (query: CatalogueQuery, send: SendDocument) => Promise<CatalogueResult>;

/**
 * The search of a node: one document for each query to a node of this software; an established one is sent what puts
 * together the measures that it lacks.
 */
export const searchNode = (remote: RemoteCatalogue, source: RemoteSource): SearchNode => {
  const searchPlainly: SearchNode = async (query, send) => {
    const printed = printQuery(query, remote, source);
    return readAnswer(await send(printed.query, printed.variables), remote, source, query, printed);
  };
  const search = remote.dialect === 'established' ? establishedSearch(remote, source) : null;
  return (asked, send) => {
    const query = byDocumentId(asked, remote.fields);
    if (search === null) return searchPlainly(query, send);
    return search(query, (part) => searchPlainly(part, send), send);
  };
};
