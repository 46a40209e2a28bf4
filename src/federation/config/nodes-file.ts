import { z } from 'zod';
import { edgesOfCalendar } from '../../introspection/dates/dates.ts';
import { nodeDefaults, type DisclosureProfile } from './nodes.ts';
import { isMappedType, meantType } from '../../introspection/fields/field.ts';
import { aboutInstitution } from '../../introspection/fields/about.ts';
import { key, optionalKey, withdrawn } from '../../introspection/fields/key.ts';
import { intervalKeys, isWholeCalendar } from '../../introspection/fields/interval-keys.ts';
import { hierarchyFiles, portalSections } from '../../introspection/fields/portal-sections.ts';

/** A name in GraphQL (specification, section 2.1.9). */
export const graphqlName = /^[_A-Za-z][_0-9A-Za-z]*$/;

const text = z.string().trim().min(1);

const mappedType = text.refine(isMappedType, {
  error: ({ input }) =>
    `is "${String(input)}", which is not a mapped type: did you mean "${meantType(String(input))}"?`,
});

/** Headers about the transfer of one message, not its meaning: forwarding them would break the request. */
const ofTheMessage = new Set([
  'accept',
  'accept-encoding',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

const headerName = z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'is not a header name');

/** Names of the caller's headers to forward. */
export const headerNames = z.array(
  headerName.refine((name) => !ofTheMessage.has(name.toLowerCase()), 'cannot be passed on'),
);

const milliseconds = z.int().min(1).max(600_000);

/** A histogram takes six levels: document type, aggregations, field, histogram, buckets, key. */
const levels = z.int().min(6).max(100);

const durationRule = 'expected a duration of PT1S to PT24H, such as "PT1M"';
const units = { H: 3_600_000, M: 60_000, S: 1_000 } as const;

/** A duration in ISO 8601, in milliseconds. */
const duration = z
  .string()
  .regex(/^PT(?=\d)(\d{1,5}H)?(\d{1,5}M)?(\d{1,5}S)?$/, durationRule)
  .transform((text) =>
    [...text.matchAll(/(\d+)([HMS])/g)].reduce(
      (sum, [, count, unit]) => sum + Number(count) * units[unit as keyof typeof units],
      0,
    ),
  )
  .refine((ms) => ms >= units.S && ms <= 24 * units.H, durationRule)
  .meta({ form: 'duration such as `PT1M`' });

const aliases = z.int().min(1).max(10_000);

const nodeSchema = z.strictObject({
  nodeId: key(text, 'Its id in answers.'),
  displayName: key(text.optional(), 'Its display name.', { byDefault: 'the `nodeId`' }),
  catalogue: key(text.optional(), 'A local node: a catalogue of this server.'),
  graphqlUrl: key(text.optional(), 'A remote node: its GraphQL address.'),
  dialsIn: key(
    z.literal(true).optional(),
    'A remote node that [dials in](consortium.md#members-that-dial-in).',
  ),
  key: key(
    text
      .regex(/^[\w-]{43}$/, 'is not the thumbprint of a key: 43 letters, digits, - and _ expected')
      .optional(),
    'Written by `tributary members accept`.',
  ),
  left: key(text.optional(), 'The day it left; written by the server.'),
  documentType: key(
    z.string().regex(graphqlName, 'is not a GraphQL name').optional(),
    'The root field to query there.',
    { byDefault: '`network.documentType`' },
  ),
  timeoutMs: key(milliseconds.optional(), 'The time limit of its answer, in milliseconds.', {
    byDefault: String(nodeDefaults.timeoutMs),
  }),
  discoveryTimeoutMs: key(milliseconds.optional(), 'The time limit of its discovery, in milliseconds.', {
    byDefault: String(nodeDefaults.discoveryTimeoutMs),
  }),
  rediscover: key(duration.optional(), 'The time until a failed discovery is repeated.', {
    byDefault: 'never',
  }),
  required: key(z.boolean().optional(), 'Without its answer, the query fails.', { byDefault: '`false`' }),
  maxDepth: key(levels.optional(), 'The levels of a query that it accepts.', {
    byDefault: String(nodeDefaults.maxDepth),
  }),
  maxAliases: key(aliases.optional(), 'The aliases that it accepts.', {
    byDefault: String(nodeDefaults.maxAliases),
  }),
  headers: key(headerNames.optional(), "The caller's headers to forward.", { byDefault: 'none' }),
  credential: key(
    z
      .strictObject({
        header: key(headerName, 'The header it is sent in.'),
        env: key(text, 'The variable that holds it.'),
      })
      .optional(),
    'The credential of this server there.',
  ),
  fields: key(z.record(text, text).default({}), "Network field -> the node's, where they differ."),
  values: key(
    z
      .record(
        text,
        z.union(
          [z.record(z.string(), z.string()), text],
          'expected an object of texts, or the name of a file',
        ),
      )
      .default({}),
    "Network field -> the node's value -> the network's, or [a file](hierarchies.md#different-codes-at-different-nodes).",
  ),
  units: key(
    z
      .record(
        text,
        z.strictObject({
          factor: key(
            z
              .number()
              .refine((factor) => factor !== 0, 'is 0: all numbers would be the same')
              .default(1),
            "Times the node's number.",
            { byDefault: '1' },
          ),
          offset: key(z.number().default(0), 'Added then.', { byDefault: '0' }),
          from: key(text.optional(), "The node's unit, for people and `check`."),
        }),
      )
      .default({}),
    'Network field -> [how its numbers follow](consortium.md#units-and-constants).',
  ),
  constants: key(
    z
      .record(text, z.union([z.string(), z.number(), z.boolean()], 'expected a text, a number or a boolean'))
      .default({}),
    'Network field -> the value of all records there.',
  ),
  unavailableBucket: key(
    z.boolean().default(false),
    'For old portals: a bucket `___aggregation_not_available___`.',
  ),
  about: key(
    aboutInstitution.optional(),
    'What the portal shows of it; `contact` and `place` as in [catalogue.json](#cataloguejson).',
    {
      form: '`{description?, contact?, place?}`',
      byDefault: 'that of a local catalogue',
      isDescribedElsewhere: true,
    },
  ),
  publicAddress: withdrawn('is withdrawn: manifests of downloads never contain addresses'),
});

/** A section in the form of a catalogue's files; docs/configuration.md lists its keys once. */
const like = <Section extends z.ZodType>(section: Section) => section.optional().meta({ isUnlisted: true });

/** Keys that a network and a catalogue have in common. */
export const portalKeys = {
  extended: like(portalSections.extended),
  table: like(portalSections.table),
  facets: like(portalSections.facets),
  survival: like(portalSections.survival),
  charts: like(portalSections.charts),
  matchbox: like(portalSections.matchbox),
  downloads: like(portalSections.downloads),
  catalogue: like(portalSections.catalogue),
};

/** The most edges that a dimension of a release can have. */
const maxEdges = 400;

const dimension = z
  .strictObject({
    fieldName: key(z.string().min(1), "The network's field, by its dotted path."),
    ...intervalKeys,
  })
  .superRefine((entry, context) => {
    const problem = (message: string) => context.addIssue({ code: 'custom', message });
    if (entry.edges !== undefined && entry.calendar !== undefined)
      problem('only one of edges and calendar expected');
    else if (!isWholeCalendar(entry)) problem('calendar, from and to expected together');
    else if (entry.calendar !== undefined && edgesOfCalendar(entry, maxEdges) === null)
      problem('from and to must be two dates in ascending order, such as 2015 and 2026');
  });

/** The dimensions that nodes withholding their records are to release; `check` compares them. */
const disclosureProfile = optionalKey(
  z.strictObject({
    threshold: optionalKey(z.int().min(10), 'The lowest count that is shown.'),
    unit: optionalKey(z.string().min(1), 'The field that identifies persons, or `record`.'),
    dimensions: key(
      z
        .array(dimension)
        .refine(
          (entries) => new Set(entries.map(({ fieldName }) => fieldName)).size === entries.length,
          'lists a field twice',
        )
        .default([]),
      'The fields that each releases, with their edges, as in [disclosure.json](#disclosurejson).',
      { form: 'list of `{fieldName, edges?, calendar?, from?, to?}`', isDescribedElsewhere: true },
    ),
  }),
  'What nodes [agreed to release](disclosure.md#in-a-network), for `check`.',
);

/** The profile, with calendars as lists of edges. */
export const profileOf = ({
  threshold,
  unit,
  dimensions,
}: NonNullable<z.output<typeof disclosureProfile>>): DisclosureProfile => ({
  threshold,
  unit,
  dimensions: dimensions.map((entry) => {
    const edges = entry.edges ?? edgesOfCalendar(entry, maxEdges) ?? undefined;
    return { fieldName: entry.fieldName, ...(edges && { edges }), isDate: entry.calendar !== undefined };
  }),
});

/** The schema of nodes.json. Unknown keys are refused. */
export const nodesFile = z.strictObject({
  network: key(
    z
      .strictObject({
        displayName: key(text.default('Network'), 'Its display name.'),
        documentType: key(
          z.string().regex(graphqlName, 'is not a GraphQL name').optional(),
          'Its root field, and that of nodes that set none.',
          { byDefault: 'that of all nodes' },
        ),
        maxDepth: key(z.int().min(1).max(100).optional(), 'The most levels of a query.', {
          byDefault: '`GRAPHQL_MAX_DEPTH`',
        }),
        maxAliases: key(z.int().min(0).max(10_000).optional(), 'The most aliases in a query.', {
          byDefault: '`GRAPHQL_MAX_ALIASES`',
        }),
        maxResultsWindow: withdrawn('is withdrawn: use network.table.maxResultsWindow'),
        disableGraphQLIntrospection: withdrawn('is withdrawn: use DISABLE_GRAPHQL_INTROSPECTION'),
        fields: key(z.record(text, mappedType).default({}), 'Field -> mapped type: always in the schema.'),
        hierarchies: hierarchyFiles.default({}).meta({
          description: 'Files of [terms under others](hierarchies.md).',
          form: 'as in [hierarchies.json](#other-files)',
          isDescribedElsewhere: true,
        }),
        disclosure: disclosureProfile.optional(),
        ...portalKeys,
      })
      .prefault({}),
    'The network itself.',
  ),
  defaults: key(
    z
      .strictObject({
        timeoutMs: milliseconds.default(nodeDefaults.timeoutMs),
        discoveryTimeoutMs: milliseconds.default(nodeDefaults.discoveryTimeoutMs),
        rediscover: duration.optional(),
        headers: headerNames.default([]),
        required: z.boolean().default(false),
        maxDepth: levels.default(nodeDefaults.maxDepth),
        maxAliases: aliases.default(nodeDefaults.maxAliases),
      })
      .prefault({})
      .meta({ isDescribedElsewhere: true }),
    '`timeoutMs`, `discoveryTimeoutMs`, `rediscover`, `headers`, `required`, `maxDepth` and `maxAliases` in place of the defaults of nodes.',
  ),
  nodes: key(z.array(nodeSchema), 'The nodes, each with `catalogue`, `graphqlUrl` or `dialsIn`.'),
});

/**
 * nodes.json as written: omitted keys take their defaults.
 * @example
 * import type { NodesConfig } from 'tributary';
 *
 * const nodes: NodesConfig = {
 *   network: { displayName: 'Libraries' },
 *   nodes: [
 *     { nodeId: 'here', catalogue: 'books' },
 *     { nodeId: 'there', graphqlUrl: 'https://there.example.org/graphql', documentType: 'book' },
 *   ],
 * };
 */
export type NodesConfig = z.input<typeof nodesFile>;

export type NodesFile = z.output<typeof nodesFile>;

export type NodeEntry = z.output<typeof nodeSchema>;

/** The key of a network's file by its path, the node by its id. */
export const nodeKey = (path: readonly PropertyKey[], content: unknown, list = ['nodes']): string => {
  const inList = path.length > list.length && list.every((key, index) => path[index] === key);
  if (!inList) return path.map(String).join('.');
  const entry: unknown = path
    .slice(0, list.length + 1)
    .reduce<unknown>((value, key) => (value as Record<PropertyKey, unknown>)[key], content);
  const id = (entry as { nodeId?: unknown } | null)?.nodeId;
  const name = typeof id === 'string' ? `node "${id}"` : `node number ${Number(path[list.length]) + 1}`;
  const within = path.slice(list.length + 1).map(String);
  return within.length === 0 ? name : `${name}: ${within.join('.')}`;
};
