import { z } from 'zod';

// What the established server for language models does with an API: it knows one address, asks there for what can be
// searched, puts the listed paths behind that address, and writes its queries from the types of the listed fields.

const catalogues = z.object({
  catalogs: z.record(
    z.string(),
    z.object({
      documentType: z.string(),
      paths: z.object({ graphql: z.string(), introspection: z.string() }),
    }),
  ),
});

const operators = z.object({
  aliases: z.record(z.string(), z.string()),
  operators: z.object({
    combination: z.array(z.string()),
    field: z.array(z.object({ op: z.string(), valueType: z.string() })),
  }),
  schema: z.record(z.string(), z.unknown()),
});

const catalogue = z.object({
  documentType: z.string(),
  meta: z.object({ authFiltered: z.boolean() }),
  operators: z.record(z.string(), z.array(z.string())),
  fields: z.record(
    z.string(),
    z.object({ displayName: z.string(), type: z.string(), unit: z.string().nullable().optional() }),
  ),
});

/** A question as a language model puts it: names of listed fields, and a filter. */
export interface Question {
  readonly sqon?: unknown;
  readonly fields?: readonly string[];
  readonly first?: number;
  readonly offset?: number;
  readonly sort?: readonly Readonly<Record<string, string>>[];
  readonly aggregations?: readonly string[];
  readonly includeMissing?: boolean;
  readonly filterThemselves?: boolean;
}

export type Document = Readonly<Record<string, unknown>>;

export interface Answer {
  readonly total?: number;
  readonly hits?: readonly Document[];
  readonly aggregations?: Readonly<Record<string, Aggregation>>;
}

export interface Aggregation {
  readonly bucket_count?: number;
  readonly buckets?: readonly { readonly key: string; readonly doc_count: number }[];
  readonly stats?: Readonly<Record<'min' | 'max' | 'avg' | 'sum' | 'count', number | null>>;
}

export interface Agent {
  /** The type of each listed field, by its path. */
  readonly fieldTypes: Readonly<Record<string, string>>;
  /** The operators listed for each type. */
  readonly operators: Readonly<Record<string, readonly string[]>>;
  /** @throws with the server's messages when there are any */
  readonly send: (question: Question) => Promise<Answer>;
}

/** Numbers and dates are queried for their statistics, everything else for its buckets. */
const numeric = new Set([
  ...['byte', 'date', 'double', 'float', 'half_float'],
  ...['integer', 'long', 'scaled_float', 'unsigned_long'],
]);

/**
 * Connects to the catalogue that an address lists.
 * @throws when something that such a server reads is missing
 */
export const openAgent = async (address: string, catalogueId: string): Promise<Agent> => {
  const get = async (path: string): Promise<unknown> => readJson(await fetch(`${address}${path}`));
  const { catalogs } = catalogues.parse(await get('/introspection'));
  operators.parse(await get('/introspection/sqon'));
  const listed = catalogs[catalogueId];
  if (listed === undefined)
    throw new Error(`${catalogueId} is not among ${Object.keys(catalogs).join(', ')}`);
  const described = catalogue.parse(await get(`/introspection/${catalogueId}`));
  const fieldTypes = Object.fromEntries(
    Object.entries(described.fields).map(([path, { type }]) => [path, type]),
  );
  const send = async (question: Question): Promise<Answer> => {
    const response = await fetch(`${address}${listed.paths.graphql}`, {
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      body: JSON.stringify(requestOf(question, described.documentType, fieldTypes)),
    });
    const { data, errors } = (await readJson(response)) as GraphqlAnswer;
    if (errors !== undefined) throw new Error(errors.map(({ message }) => message).join('; '));
    const { hits, aggregations } = data![described.documentType]!;
    return {
      ...(hits && { total: hits.total }),
      ...(hits?.edges && { hits: hits.edges.map(({ node }) => plain(node, fieldTypes, '')) }),
      ...(aggregations && { aggregations }),
    };
  };
  return { fieldTypes, operators: described.operators, send };
};

interface GraphqlAnswer {
  readonly data?: Readonly<
    Record<
      string,
      {
        readonly hits?: { readonly total: number; readonly edges?: readonly { readonly node: Document }[] };
        readonly aggregations?: Answer['aggregations'];
      }
    >
  >;
  readonly errors?: readonly { readonly message: string }[];
}

const readJson = async (response: Response): Promise<unknown> => {
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.status} ${text.slice(0, 500)}`);
  return JSON.parse(text);
};

const requestOf = (question: Question, documentType: string, types: Agent['fieldTypes']): object => {
  const { sqon = { op: 'and', content: [] }, fields, aggregations, sort = [] } = question;
  const variables: Record<string, unknown> = { filters: sqon };
  const declared = ['$filters: JSON'];
  const parts: string[] = [];
  if (fields !== undefined) {
    declared.push('$first: Int', '$offset: Int');
    Object.assign(variables, { first: question.first ?? 20, offset: question.offset ?? 0 });
    if (sort.length > 0) {
      declared.push('$sort: [Sort]');
      variables['sort'] = sort;
    }
    const supplied = `filters: $filters, first: $first, offset: $offset${sort.length > 0 ? ', sort: $sort' : ''}`;
    const edges = fields.length === 0 ? '' : ` edges { node { ${selection(treeOf(fields), types, '')} } }`;
    parts.push(`hits(${supplied}) { total${edges} }`);
  }
  if (aggregations !== undefined) {
    declared.push('$missing: Boolean', '$themselves: Boolean');
    const { includeMissing: missing = true, filterThemselves: themselves = false } = question;
    Object.assign(variables, { missing, themselves });
    const supplied =
      'filters: $filters, include_missing: $missing, aggregations_filter_themselves: $themselves';
    const shown = aggregations.map((path) => summary(path, types[path]!));
    parts.push(`aggregations(${supplied}) { ${shown.join(' ')} }`);
  }
  const operationName = 'AgentsQuestion';
  const query = `query ${operationName}(${declared.join(', ')}) { ${documentType} { ${parts.join(' ')} } }`;
  return { query, variables, operationName };
};

interface Tree {
  readonly [name: string]: Tree;
}

const treeOf = (paths: readonly string[]): Tree => {
  const tree: Record<string, Tree> = {};
  for (const path of paths) {
    let at = tree;
    for (const name of path.split('.')) at = (at[name] ??= {}) as Record<string, Tree>;
  }
  return tree;
};

/** Nested objects are connections of their own, other objects are plain. */
const selection = (tree: Tree, types: Agent['fieldTypes'], above: string): string =>
  Object.entries(tree)
    .map(([name, below]) => {
      const inside = selection(below, types, `${above}${name}.`);
      if (inside === '') return name;
      return types[above + name] === 'nested'
        ? `${name} { hits { edges { node { ${inside} } } } }`
        : `${name} { ${inside} }`;
    })
    .join(' ');

const summary = (path: string, type: string): string =>
  `${path.replaceAll('.', '__')} ${
    numeric.has(type)
      ? '{ stats { min max avg sum count } }'
      : '{ bucket_count buckets { key key_as_string doc_count } }'
  }`;

/** The document without connections, as language models are given it. */
const plain = (node: Document, types: Agent['fieldTypes'], above: string): Document =>
  Object.fromEntries(
    Object.entries(node).map(([name, value]) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return [name, value];
      const path = above + name;
      if (types[path] !== 'nested') return [name, plain(value as Document, types, `${path}.`)];
      const { hits } = value as { readonly hits: { readonly edges: readonly { readonly node: Document }[] } };
      return [name, hits.edges.map((edge) => plain(edge.node, types, `${path}.`))];
    }),
  );
