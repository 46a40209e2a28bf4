/**
 * Asks servers by the Model Context Protocol, in two calls a question, for the frequent values of their fields, and
 * compares each number with GraphQL's.
 *
 *   node bench/agents.ts http://127.0.0.1:5611 ...        servers that show records, such as those of docs/museums/README.md
 */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { isJsonObject, type JsonObject } from '../src/lib/json/json.ts';
import { postQuery } from '../test/whole/end-to-end/processes.ts';

const maxFields = 14;
const maxValues = 3;

const objects = (value: unknown): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : [];

let isWell = true;
for (const url of process.argv.slice(2)) {
  const client = new Client({ name: 'bench', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url)));
  const call = async (name: string, sent: Record<string, unknown>): Promise<JsonObject> => {
    const { structuredContent } = await client.callTool({ name, arguments: sent });
    return isJsonObject(structuredContent) ? structuredContent : {};
  };
  const { catalogs } = (await (await fetch(`${url}/introspection`)).json()) as {
    readonly catalogs: Readonly<Record<string, { readonly documentType: string }>>;
  };
  const roots = Object.entries(catalogs).map(([id, { documentType }]) => [id, documentType] as const);
  const hasNetwork = objects((await call('describe', {}))['catalogues']).some(({ id }) => id === 'network');
  for (const [catalogue, root] of [...roots, ...(hasNetwork ? [['network', 'network'] as const] : [])]) {
    const query =
      catalogue === 'network'
        ? 'query ($filters: JSON) { network(filters: $filters) { hits { total } } }'
        : `query ($filters: JSON) { ${root} { hits(filters: $filters) { total } } }`;
    let [same, requested] = [0, 0];
    const fields = objects((await call('describe', { catalogue }))['fields']).filter(
      ({ type, values }) => type === 'keyword' && Array.isArray(values) && values.length > 1,
    );
    for (const { field: fieldName, values } of fields.slice(0, maxFields))
      for (const value of (values as readonly string[]).slice(0, maxValues)) {
        const where = [{ field: fieldName, value }];
        const { total } = await call('summarise', { catalogue, where, facets: [] });
        const filters = { op: 'in', content: { fieldName, value: [value] } };
        const { data } = await postQuery(`${url}/${catalogue}/graphql`, query, { filters });
        const { hits } = data?.[root] as { readonly hits: { readonly total: number } };
        requested += 1;
        if (isJsonObject(total) && total['lower'] === hits.total && total['upper'] === hits.total) same += 1;
        else
          console.log(
            `${catalogue}: ${String(fieldName)} ${value}: ${JSON.stringify(total)}, not ${hits.total}`,
          );
      }
    isWell &&= requested > 0 && same === requested;
    console.log(`${catalogue}: ${same} of ${requested} numbers are GraphQL's`);
  }
  await client.close();
}
process.exit(isWell ? 0 : 1);
