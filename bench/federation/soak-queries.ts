/** A query of the soak: sends it, and returns what is wrong with the answer; null for nothing. */
export interface SoakQuestion {
  readonly name: string;
  readonly run: (url: string, number: number) => Promise<string | null>;
}

/** Matches a node that is down at the time, which a network goes on without. */
interface Answered {
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly errors?: readonly { readonly message: string; readonly extensions?: { readonly code?: string } }[];
}

const post = (url: string, body: object): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

const filterOf = (number: number) => ({
  op: 'in',
  content: { fieldName: 'site', value: [`site ${number % 20}`, `site ${number % 7}`] },
});

const graphql =
  (query: string, isFine: (answer: Answered) => boolean = ({ errors }) => errors === undefined) =>
  async (url: string, number: number): Promise<string | null> => {
    const answer = await post(`${url}/network/graphql`, { query, variables: { filters: filterOf(number) } });
    const body = (await answer.json()) as Answered;
    return isFine(body) ? null : `HTTP ${answer.status} ${JSON.stringify(body.errors).slice(0, 300)}`;
  };

const facets =
  'aggregations { species { buckets(max: 10) { key doc_count upper_bound } } site { bucket_count } weight { stats { min max avg } histogram(interval: 10) { buckets { key doc_count } } } }';

const whole = async (answer: Response, isFine: (text: string) => boolean): Promise<string | null> => {
  const text = await answer.text();
  return answer.status === 200 && isFine(text) ? null : `HTTP ${answer.status} ${text.slice(0, 300)}`;
};

/** What portals, programs and people send, mistakes among it. */
export const soakQueries: readonly SoakQuestion[] = [
  {
    name: 'facets',
    run: graphql(
      `query($filters: JSON) { network(filters: $filters) { total partial nodes { nodeId state } ${facets} } }`,
    ),
  },
  {
    name: 'repeated',
    run: (url) => graphql(`query($filters: JSON) { network(filters: $filters) { total ${facets} } }`)(url, 1),
  },
  {
    name: 'page',
    run: graphql(
      'query($filters: JSON) { record { hits(filters: $filters, first: 50, sort: [{ fieldName: "weight" }]) { total edges { searchAfter node { id site species weight } } } } }',
    ),
  },
  {
    name: 'some',
    run: graphql(
      'query($filters: JSON) { network(filters: $filters, waitFor: { share: 0.5, ms: 5 }) { total nodes { state } } }',
    ),
  },
  {
    name: 'mistake',
    run: graphql(
      'query($filters: JSON) { network(filters: $filters) { total nothing } }',
      ({ errors }) => errors?.[0]?.extensions?.code === 'GRAPHQL_VALIDATION_FAILED',
    ),
  },
  {
    name: 'one node',
    run: graphql(
      '{ away0 { record { hits { total } } } }',
      ({ data, errors }) =>
        data !== undefined || errors?.[0]?.extensions?.code === 'GRAPHQL_VALIDATION_FAILED',
    ),
  },
  {
    name: 'state',
    run: async (url) => whole(await fetch(`${url}/network`), (text) => text.includes('"configuration"')),
  },
  {
    name: 'download',
    run: async (url, number) =>
      whole(
        await post(`${url}/network/download`, {
          files: [{ sqon: filterOf(number), columns: [{ fieldName: 'id' }, { fieldName: 'site' }] }],
        }),
        (text) => text.startsWith('Id\tSite\n'),
      ),
  },
  {
    name: 'left',
    run: async (url, number) => {
      const leave = new AbortController();
      setTimeout(() => leave.abort(), number % 20);
      const body = JSON.stringify({
        query: `query($filters: JSON) { network(filters: $filters) { total ${facets} } }`,
        variables: { filters: filterOf(number) },
      });
      // who leaves is answered by nobody
      await fetch(`${url}/network/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
        signal: leave.signal,
      })
        .then((answer) => answer.text())
        .catch(() => null);
      return null;
    },
  },
];
