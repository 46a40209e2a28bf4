import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openAgent, type Agent, type Document } from '../agent.ts';
import { donors } from '../donors.ts';
import { theStage } from '../the-stage.ts';

const { donors: served, museumsUrl, consortiumUrl } = theStage();

/** Where agents look, and which of the listed catalogues they are told to search. */
const searched = {
  'a catalogue': [served['a catalogue'], 'donors'],
  'a network': [served['a network'], 'network'],
  'the museums': [museumsUrl, 'network'],
  'the sample consortium': [consortiumUrl, 'network'],
} as const;

const containers = new Set(['object', 'nested']);

const leavesOf = ({ fieldTypes }: Agent): readonly string[] =>
  Object.keys(fieldTypes).filter((path) => !containers.has(fieldTypes[path]!));

/** As many fields as a question of theirs may have within the limits of a catalogue. */
const inParts = <Item>(items: readonly Item[], size = 8): readonly (readonly Item[])[] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));

const has = (document: Document, path: string): boolean => {
  const [name, ...below] = path.split('.') as [string, ...string[]];
  if (!(name in document)) return false;
  const value = document[name];
  if (below.length === 0 || value === null) return true;
  const objects = (Array.isArray(value) ? value : [value]) as readonly Document[];
  return objects.every((object) => has(object, below.join('.')));
};

const ordered = (values: readonly unknown[]): readonly unknown[] =>
  [...values].sort((left, right) => (String(left) < String(right) ? -1 : 1));

/** A filter with an operator, in the form that the listed operators have. */
const filterOf = (path: string, operator: string, type: string): object => {
  const sample = type === 'date' ? '2015-06-01' : type === 'boolean' ? 'true' : 20;
  if (operator === 'filter') return { op: 'filter', content: { fieldNames: [path], value: '*a*' } };
  if (operator === 'between') {
    const value = type === 'date' ? ['2001-01-01', '2020-01-01'] : [1, 50];
    return { op: operator, content: { fieldName: path, value } };
  }
  const isRange = /^[gl]te?$/.test(operator);
  const text = type === 'keyword' || type === 'text' ? 'Female' : sample;
  return { op: operator, content: { fieldName: path, value: isRange ? sample : [text] } };
};

for (const [name, [address, catalogueId]] of Object.entries(searched)) {
  const check = (what: string, steps: (agent: Agent) => Promise<void>): void =>
    void test(`an agent over ${name}: ${what}`, async () => steps(await openAgent(address, catalogueId)));

  check('every listed field comes with the documents, nested ones as lists', async (agent) => {
    for (const fields of inParts(leavesOf(agent))) {
      const { hits = [], total = 0 } = await agent.send({ fields });
      assert.equal(hits.length, Math.min(total, 20));
      for (const hit of hits) for (const path of fields) assert.ok(has(hit, path), `${path} is not in a hit`);
    }
  });

  check('every listed field but free text can be summed up, with documents and without', async (agent) => {
    const countable = leavesOf(agent).filter((path) => agent.fieldTypes[path] !== 'text');
    for (const aggregations of inParts(countable)) {
      const alone = await agent.send({ aggregations });
      assert.deepEqual(
        Object.keys(alone.aggregations!),
        aggregations.map((path) => path.replaceAll('.', '__')),
      );
      assert.equal('total' in alone, false);
      const both = await agent.send({ aggregations, fields: [], first: 0 });
      assert.deepEqual(both.aggregations, alone.aggregations);
    }
  });

  check('every operator listed for a type of field is accepted', async (agent) => {
    const { fieldTypes, operators } = agent;
    const { total: all } = await agent.send({ fields: [], first: 0 });
    const tried = new Set<string>();
    for (const [path, type] of Object.entries(fieldTypes).filter(([, each]) => !containers.has(each)))
      for (const operator of operators[type] ?? []) {
        if (tried.has(`${type} ${operator}`)) continue;
        tried.add(`${type} ${operator}`);
        const { total } = await agent.send({ sqon: filterOf(path, operator, type), fields: [], first: 0 });
        assert.ok(total! <= all!, `${operator} on ${path} finds ${total} of ${all}`);
      }
  });

  check('the documents of one page after the other are all of them, each once', async (agent) => {
    const key =
      leavesOf(agent).find((path) => /^(donor_id|id|accession_number|title)$/.test(path)) ??
      leavesOf(agent)[0]!;
    const sort = [{ fieldName: key, order: 'asc' }];
    const { hits: together } = await agent.send({ fields: [key], first: 21, sort });
    const pages = [];
    for (const offset of [0, 7, 14])
      pages.push(...(await agent.send({ fields: [key], first: 7, offset, sort })).hits!);
    assert.deepEqual(pages, together);
  });

  check('the values of a facet are found by filters, and add up', async (agent) => {
    const path = leavesOf(agent).find((each) => agent.fieldTypes[each] === 'keyword' && !each.includes('.'))!;
    const { aggregations } = await agent.send({ aggregations: [path] });
    for (const { key, doc_count } of aggregations![path]!.buckets!.slice(0, 5)) {
      const sqon = { op: 'and', content: [{ op: 'in', content: { fieldName: path, value: [key] } }] };
      assert.equal((await agent.send({ sqon, fields: [], first: 0 })).total, doc_count, key);
      const alone = await agent.send({ sqon, aggregations: [path], filterThemselves: true });
      assert.equal(
        alone.aggregations![path]!.buckets!.find((bucket) => bucket.key === key)!.doc_count,
        doc_count,
      );
      const others = await agent.send({ sqon, aggregations: [path] });
      assert.deepEqual(others.aggregations, aggregations);
    }
  });

  check('what is queried of a field that is not there is refused by name', async (agent) => {
    await assert.rejects(agent.send({ fields: ['no_such_field'] }), /no_such_field/);
    await assert.rejects(agent.send({ fields: [], sort: [{ fieldName: 'no_such_field' }] }), /no_such_field/);
  });
}

for (const name of ['a catalogue', 'a network'] as const)
  test(`an agent over ${name} learns what the records say`, async () => {
    const agent = await openAgent(searched[name][0], searched[name][1]);
    const women = donors.filter(({ sex, age = 0 }) => sex === 'Female' && age >= 40);
    const sqon = {
      op: 'and',
      content: [
        { op: 'in', content: { fieldName: 'sex', value: ['Female'] } },
        { op: 'gte', content: { fieldName: 'age', value: 40 } },
      ],
    };
    const { total, hits, aggregations } = await agent.send({
      sqon,
      fields: ['donor_id', 'specimens.tissue', 'specimens.samples.kind'],
      first: 1_000,
      sort: [{ fieldName: 'donor_id', order: 'desc', missing: 'last' }],
      aggregations: ['age', 'specimens.tissue', 'sex'],
      filterThemselves: true,
    });
    assert.equal(total, women.length);
    assert.deepEqual(
      hits,
      women
        .map(({ donor_id, specimens }) => ({
          donor_id,
          specimens: specimens.map(({ tissue, samples }) => ({
            tissue,
            samples: samples.map(({ kind }) => ({ kind })),
          })),
        }))
        .reverse(),
    );
    const ages = women.map(({ age }) => age!);
    const { avg, ...stats } = aggregations!['age']!.stats!;
    const sum = ages.reduce((left, right) => left + right, 0);
    assert.deepEqual(stats, { min: Math.min(...ages), max: Math.max(...ages), sum, count: ages.length });
    assert.ok(Math.abs(avg! - sum / ages.length) < 1e-9);
    const tissues = new Set(women.flatMap(({ specimens }) => specimens.map(({ tissue }) => tissue)));
    const listed = aggregations!['specimens__tissue']!.buckets!.map(({ key }) => key);
    assert.deepEqual(ordered(listed.filter((key) => key !== '__missing__')), ordered([...tissues]));
    assert.deepEqual(
      aggregations!['sex']!.buckets!.map(({ key, doc_count }) => [key, doc_count]),
      [['Female', women.length]],
    );
  });
