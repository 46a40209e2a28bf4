import { histogramTooFine, maxHistogramBuckets } from '../../engines/semantics/bucket-key.ts';
import { badUserInput, TributaryError } from '../../lib/errors/errors.ts';
import type { ExtendedEntry } from '../../introspection/fields/catalogue-config.ts';
import { isIntegerType, kindOf, type Field } from '../../introspection/fields/field.ts';
import { isJsonObject } from '../../lib/json/json.ts';
import { missingFrom } from '../remote/network-node.ts';
import { lowerOf } from '../../search/count.ts';
import type { FacetAnswer, FailedFacet, Reach } from '../../search/nodes-answer.ts';
import {
  filtersOf,
  withFilters,
  type AnswerOrigin,
  type CatalogueQuery,
  type CatalogueResult,
  type FacetMeasure,
  type FacetRequest,
  type HitsRequest,
  type SearchFn,
} from '../../search/query.ts';
import { countOnly } from '../../search/query.ts';
import type { RequestContext } from '../../search/request-context.ts';
import { group, type Sqon } from '../../sqon/ast.ts';
import { truthOf, withoutField } from '../../sqon/rewrite.ts';
import { constantType, type NodeConfig } from '../config/nodes.ts';
import { withoutTrue } from '../query/plan-filter.ts';
import { constantPath, type NodeUp, type NodeView } from '../nodes/node-view.ts';
import { constantFacet, type CountedRecords } from './constant-facet.ts';
import { convertedFilter, type Constant, type Conversion, type Measured } from './converted-filter.ts';
import { convertedPage, documentConverter } from './converted-hits.ts';
import { convertedFacet, isAligned, measuredKinds, ownMeasure } from './measured-facet.ts';
import { converted } from './unit.ts';

/** Whether an entry states constants or units. */
export const isConverted = ({ units, constants }: NodeConfig): boolean =>
  units !== undefined || constants !== undefined;

/**
 * A node as if its records held the constants and used the units that its entry states: queries are converted on the way
 * to it, answers on the way back.
 */
export const convertedView = (view: NodeView): NodeView => {
  const { config, status } = view;
  if (status.kind === 'down') return view;
  const known = views.get(status) ?? convertedStatus(status, config);
  views.set(status, known);
  return { ...view, status: known };
};

/** Nodes are compared by their fields, so the fields stay the same object as long as the node does. */
const views = new WeakMap<NodeUp, NodeUp>();

const convertedStatus = (status: NodeUp, config: NodeConfig): NodeUp => {
  const { fields, aggregates, dialectOf = () => 'tributary', search, extended } = status;
  const constants = new Map(
    [...(config.constants ?? [])].map(([path, value]) => [constantPath(path), constantOf(path, value)]),
  );
  const measured = new Map(
    [...(config.units ?? [])].flatMap(([path, unit]) => {
      const nodeField = fields.get(config.fields.get(path) ?? path);
      return nodeField?.kind === 'number'
        ? [[nodeField.path, { field: nodeField, unit, isWhole: isIntegerType(nodeField.type) }] as const]
        : [];
    }),
  );
  const shownFields = new Map([
    ...[...fields].map(([path, field]) => [path, shownField(field, measured.get(path))] as const),
    ...[...constants].map(([path, { field }]) => [path, field] as const),
  ]);
  const node = { status, search, conversion: { constants, measured }, shownFields };
  return {
    ...status,
    fields: shownFields,
    ...(extended && {
      extended: extended.map((entry) => (measured.has(entry.fieldName) ? withoutUnit(entry) : entry)),
    }),
    aggregates: (path, measure) => {
      const fixed = constants.get(path);
      const target = measured.get(path);
      if (fixed)
        return fixed.field.kind === 'number'
          ? measure !== 'terms'
          : !measuredKinds.has(measure) || measure === 'cardinality';
      if (!target) return aggregates(path, measure);
      // unless aligned, its buckets are requested as ranges
      const takesEdges = aggregates(path, 'range') && dialectOf(path) === 'tributary';
      if (measure === 'range' || (measure === 'histogram' && !isAligned(Infinity, target.unit)))
        return takesEdges;
      // next to zero an offset makes any relative error boundless
      if (measure === 'percentiles' && target.unit.offset !== 0) return false;
      return measuredKinds.has(measure) && aggregates(path, measure);
    },
    dialectOf: (path) => (constants.has(path) ? 'tributary' : dialectOf(path)),
    search: convertedSearch(node),
    notes: notesOn(status, config),
  };
};

const constantOf = (networkPath: string, value: Constant['value']): Constant => {
  const [path, type] = [constantPath(networkPath), constantType(value)];
  return {
    value,
    field: {
      path,
      type,
      kind: kindOf(type),
      nestedIn: [],
      isArray: false,
      indexField: { path, type, nestedIn: [] },
    },
  };
};

const shownField = (field: Field, target: Measured | undefined): Field => {
  if (target === undefined) return field;
  const { scalingFactor: _, ...others } = field;
  const keepsWhole =
    target.isWhole && Number.isInteger(target.unit.factor) && Number.isInteger(target.unit.offset);
  const type = keepsWhole ? 'long' : 'double';
  return { ...others, type, indexField: { ...field.indexField, type } };
};

/** Labels apply in any unit; names of numbers and steps do not. */
const withoutUnit = ({
  unit: _unit,
  rangeStep: _step,
  displayValues: _values,
  ...entry
}: ExtendedEntry): ExtendedEntry => entry;

const notesOn = (
  { fields, extended = [] }: NodeUp,
  { constants = new Map(), units = new Map(), fields: names }: NodeConfig,
): readonly string[] => [
  ...[...constants.keys()].flatMap((path) =>
    fields.has(path) && ![...names.values()].includes(path)
      ? [`constants.${path} hides its own field of that name`]
      : [],
  ),
  ...[...units].flatMap(([path, { from }]) => {
    const nodeField = fields.get(names.get(path) ?? path);
    if (nodeField === undefined) return [];
    if (nodeField.kind !== 'number')
      return [`units.${path} does not apply: "${nodeField.path}" is ${nodeField.type} there, not a number`];
    const unit = extended.find(({ fieldName }) => fieldName === nodeField.path)?.unit;
    return from === undefined || unit == null || unit === from
      ? []
      : [`units.${path} is from ${from}, but "${nodeField.path}" is in ${unit} there`];
  }),
];

interface ConvertedNode {
  readonly status: NodeUp;
  readonly search: SearchFn;
  readonly conversion: Conversion;
  readonly shownFields: NodeUp['fields'];
}

const convertedSearch =
  (node: ConvertedNode): SearchFn =>
  async (query, context) => {
    const { conversion, status, shownFields } = node;
    const { constants } = conversion;
    const { recorded: search, notes } = recording(node.search);
    const recorded = { ...node, search };
    const toNode = (filter: Sqon | null): Sqon | null =>
      filter && withoutTrue(convertedFilter(filter, conversion));
    const filters = toNode(query.filters);
    const isFixed = query.facets.map(({ field }) => constants.has(field));
    const page = query.hits && convertedPage(query.hits, conversion, status.fields, shownFields);
    const hits =
      page?.request ??
      (isFixed.includes(true) ? countedBeside(query.facets.filter((_, at) => isFixed[at])) : null);
    const isCounted = isFixed.includes(true) || hits?.trackTotal === true;
    const sent = query.facets.filter((_, at) => !isFixed[at]).map((facet) => ownFacet(facet, node, toNode));
    const base: CatalogueQuery = {
      ...query,
      filters,
      facets: sent,
      hits: hits && { ...hits, trackTotal: isCounted },
    };
    const isEmpty = isFalse(filters) && !isFalse(query.filters);
    const answer = isEmpty ? emptyAnswer(base, status) : await search(base, context);
    const others = answer.facets[Symbol.iterator]();
    const facets = await Promise.all(
      query.facets.map((facet, at) =>
        isFixed[at]
          ? facetOfConstant(facet, { query, base, answer, node: recorded, toNode }, context)
          : facetOfNode(others.next().value!, facet, { base, node: recorded }, context),
      ),
    );
    return {
      ...answer,
      ...notes(),
      total: query.hits?.trackTotal ? answer.total : null,
      hits: query.hits === null ? [] : answer.hits.map(page!.show),
      facets,
    };
  };

/** A search whose warnings, origin and gaps are recorded: `notes` combines those of all answers. */
const recording = (search: SearchFn) => {
  const warnings = new Set<string>();
  let origin: AnswerOrigin | undefined;
  let reach: Reach | undefined;
  const recorded: SearchFn = async (query, context) => {
    context.signal?.throwIfAborted();
    const answer = await search(query, context);
    for (const warning of answer.warnings) warnings.add(warning);
    origin = answer.origin ?? origin;
    if (reach === undefined || missingFrom(answer) !== null) reach = answer.reach;
    return answer;
  };
  const notes = () => ({
    warnings: [...warnings],
    ...(origin && { origin }),
    ...(reach && { reach }),
  });
  return { recorded, notes };
};

/** Whether no record matches: a filter of which that is known before the constants is sent all the same. */
const isFalse = (filter: Sqon | null): boolean => filter !== null && truthOf(filter) === false;

/** A node's answer to a filter that none of its records matches. */
const emptyAnswer = ({ facets, hits }: CatalogueQuery, { fields }: NodeUp): CatalogueResult => ({
  total: hits?.trackTotal ? 0 : null,
  hits: [],
  facets: facets.map(({ field, measure }) =>
    constantFacet(measure, { field: fields.get(field)!, value: '' }, { count: 0 }),
  ),
  warnings: [],
});

/** A page without rows. A node that discloses intervals refuses callers that are not shown bounds of counts. */
const countedBeside = (facets: readonly FacetRequest[]): HitsRequest => ({
  ...countOnly,
  ...(facets.every(({ measure, bounded }) => bounded || !countingKinds.has(measure.kind)) && {
    bounded: true as const,
  }),
});

const ownFacet = (
  facet: FacetRequest,
  { conversion: { constants, measured } }: ConvertedNode,
  toNode: (filter: Sqon | null) => Sqon | null,
): FacetRequest => {
  const measure = withFilters(facet.measure, (filter) => toNode(filter) ?? group('and', []));
  const target = measured.get(facet.field);
  if (target === undefined) return { ...facet, measure: withoutConstants(measure, constants) };
  return { ...facet, measure: isSplit(facet, measured) ? { kind: 'stats' } : ownMeasure(measure, target) };
};

/** Whether a facet takes further queries, once its extremes are known. */
const isSplit = ({ field, measure }: FacetRequest, measured: Conversion['measured']): boolean => {
  const target = measured.get(field);
  return target !== undefined && measure.kind === 'histogram' && !isAligned(measure.interval, target.unit);
};

const withoutConstants = (measure: FacetMeasure, constants: Conversion['constants']): FacetMeasure => {
  if (measure.kind !== 'terms' || !measure.topHits?.source) return measure;
  const source = measure.topHits.source.filter((path) => !constants.has(path));
  return { ...measure, topHits: { ...measure.topHits, source } };
};

interface SentQuery {
  /** The query as it was sent to the node. */
  readonly base: CatalogueQuery;
  readonly node: ConvertedNode;
}

const facetOfNode = async (
  answer: FacetAnswer | FailedFacet,
  facet: FacetRequest,
  sent: SentQuery,
  context: RequestContext,
): Promise<FacetAnswer | FailedFacet> => {
  if (answer.kind === 'failed') return answer;
  const { measured } = sent.node.conversion;
  const target = measured.get(facet.field);
  if (target === undefined) return withTopHits(answer, facet, sent.node);
  if (answer.kind === 'survival' && !isAligned(Infinity, target.unit))
    return { kind: 'failed', error: unaligned };
  return facet.measure.kind === 'histogram' && answer.kind === 'stats'
    ? histogramOfRanges(answer, facet, facet.measure.interval, target, sent, context)
    : convertedFacet(answer, facet.measure, target);
};

/** The node left out negative values in its own unit. */
const unaligned = badUserInput(
  'survival needs times that begin at the same 0: the unit of the node has an offset or a negative factor',
);

const withTopHits = (
  answer: FacetAnswer,
  { field, measure }: FacetRequest,
  { conversion, status }: ConvertedNode,
): FacetAnswer => {
  if (answer.kind !== 'terms' || measure.kind !== 'terms' || measure.topHits === undefined) return answer;
  const documentOf = documentConverter(
    measure.topHits.source,
    conversion,
    status.fields.get(field)?.nestedIn.at(-1) ?? null,
  );
  const buckets = answer.buckets.map((bucket) =>
    isJsonObject(bucket.topHit) ? { ...bucket, topHit: documentOf(bucket.topHit) } : bucket,
  );
  return { ...answer, buckets };
};

/** Every value is compared with every range, and a query lists all ranges. */
const rangesAtOnce = 200;

/** A histogram whose steps are not aligned with the node's: as ranges between its extremes. */
const histogramOfRanges = async (
  { min, max }: Extract<FacetAnswer, { readonly kind: 'stats' }>,
  facet: FacetRequest,
  interval: number,
  target: Measured,
  { base, node }: SentQuery,
  context: RequestContext,
): Promise<FacetAnswer | FailedFacet> => {
  if (min === null || max === null) return { kind: 'histogram', buckets: [] };
  const steps = [min, max].map((end) => Math.floor(converted(Number(end), target.unit) / interval));
  const [first, last] = [Math.min(...steps), Math.max(...steps)];
  if (last - first >= maxHistogramBuckets)
    throw histogramTooFine(target.field.path, 'double', (last - first + 1) * interval);
  const buckets = [];
  for (let step = first; step <= last; step += rangesAtOnce) {
    const ranges = Array.from({ length: Math.min(rangesAtOnce, last - step + 1) }, (_, at) => {
      const from = (step + at) * interval;
      return { key: String(from), from, to: (step + at + 1) * interval };
    });
    const measure = ownMeasure({ kind: 'range', ranges }, target);
    const { facets } = await node.search({ ...base, facets: [{ ...facet, measure }], hits: null }, context);
    const counted = facets[0]!;
    if (counted.kind === 'failed') return counted;
    buckets.push(...(counted as FacetAnswer<'range'>).buckets);
  }
  return { kind: 'histogram', buckets };
};

interface ConstantQuery extends SentQuery {
  /** The request in the network's numbers. */
  readonly query: CatalogueQuery;
  readonly answer: CatalogueResult;
  readonly toNode: (filter: Sqon | null) => Sqon | null;
}

/** Counts all records that match the filter without the facet's own selections: one more request if there are any. */
const facetOfConstant = async (
  facet: FacetRequest,
  { query, base, answer, node, toNode }: ConstantQuery,
  context: RequestContext,
): Promise<FacetAnswer> => {
  const { field, measure } = facet;
  const selected =
    query.filterThemselves || measure.kind === 'survival'
      ? query.filters
      : withoutField(query.filters, field);
  const filters = toNode(selected);
  const search = async (
    filter: Sqon | null,
    topHit?: NonNullable<FacetMeasure<'terms'>['topHits']>,
  ): Promise<CatalogueResult> => {
    if (isFalse(filter)) return { ...emptyAnswer(base, node.status), total: 0, facets: [] };
    const page = {
      ...countedBeside([facet]),
      first: topHit ? 1 : 0,
      fields: topHit?.source ?? (topHit ? null : []),
    };
    return node.search(
      {
        ...base,
        filters: filter,
        facets: [],
        hits: convertedPage(page, node.conversion, node.status.fields, node.shownFields).request,
      },
      context,
    );
  };
  const terms = measure.kind === 'terms' ? measure : null;
  const counted =
    selected === query.filters && !terms?.topHits ? answer : await search(filters, terms?.topHits);
  if (counted.withheld && !countingKinds.has(measure.kind))
    throw new TributaryError('NOT_DISCLOSED', 'statistics of values are not disclosed here');
  const filtered = await Promise.all(
    filtersOf(measure).map(async (filter) =>
      lowerOf((await search(andOf(filters, toNode(filter)))).total ?? 0),
    ),
  );
  const [hit] = counted.hits;
  const records: CountedRecords = {
    count: counted.total ?? 0,
    ...(terms?.topHits &&
      hit && { topHit: documentConverter(terms.topHits.source, node.conversion)(hit.source) }),
    ...(filtered.length > 0 && { filtered }),
  };
  return constantFacet(measure, node.conversion.constants.get(field)!, records);
};

const andOf = (...filters: readonly (Sqon | null)[]): Sqon =>
  group(
    'and',
    filters.filter((filter) => filter !== null),
  );

/** The facets that a node answers even if it withholds its records. */
const countingKinds = new Set(['terms', 'histogram', 'range']);
