import test from 'ava';
import { readingOptions } from '../../../../src/cli/load/load-options.ts';
import { tryImport } from '../../../../src/indexing/file-import/try-import.ts';
import { optionText } from '../../../../src/indexing/file-import/inference/proposals.ts';
import { summarizeFields } from '../../../../src/indexing/file-import/inference/summarize-fields.ts';
import { planImport } from '../../../../src/indexing/file-import/plan-import.ts';
import type { ImportFormat } from '../../../../src/indexing/file-import/records/detect-format.ts';
import { chunksOf, collect } from '../collect.ts';

const request = (text: string, split: readonly string[], format: ImportFormat) =>
  ({
    chunks: chunksOf(text),
    format,
    mapping: null,
    idField: undefined,
    replace: false,
    reading: readingOptions(split.length === 0 ? {} : { split }),
  }) as const;

const read = async (text: string, split: readonly string[], format: ImportFormat = 'csv', words?: string) => {
  const reading = readingOptions({ split, ...(words !== undefined && { null: [words] }) });
  const plan = await planImport({ ...request(text, split, format), reading }, null);
  const records = await collect(plan.records);
  return {
    documents: records.map((one) => (one.kind === 'document' ? one.document : one)),
    properties: plan.properties,
  };
};

const proposed = async (text: string, format: ImportFormat = 'csv') => {
  const { plan } = await tryImport(request(text, [], format), null);
  const fields = summarizeFields(plan.evidence, plan.properties, plan.columns);
  return fields.flatMap(
    ({ proposal }) =>
      proposal?.options.map((option) => `${proposal.isOpen === true ? '? ' : ''}${optionText(option)}`) ?? [],
  );
};

const lists =
  'id,genes,pheno,tags,title\n1,TP53;BRCA1,HP:1|HP:2,"[""a"",""b""]",Oak; a tree\n2,BRCA1,HP:2,"[""b""]",Elm\n3,TP53;KRAS;BRCA1,HP:3|HP:1,[],Ash; another\n';

test('separators between values that recur are proposed, and with them cells are lists', async (t) => {
  t.deepEqual(await proposed(lists), ['--split "genes=;"', '--split "pheno=|"', '--split tags=json']);
  const { documents } = await read(lists, ['genes=; pheno=|', 'tags=json']);
  t.deepEqual(documents as unknown, [
    { id: 1, genes: ['TP53', 'BRCA1'], pheno: ['HP:1', 'HP:2'], tags: ['a', 'b'], title: 'Oak; a tree' },
    { id: 2, genes: ['BRCA1'], pheno: ['HP:2'], tags: ['b'], title: 'Elm' },
    { id: 3, genes: ['TP53', 'KRAS', 'BRCA1'], pheno: ['HP:3', 'HP:1'], title: 'Ash; another' },
  ]);
});

test('commas are a question, and numbers in lists are numbers', async (t) => {
  t.deepEqual(await proposed('id,c\n1,"a, b"\n2,"b, a"\n3,"a, b"\n'), ['? --split c=,']);
  const { documents, properties } = await read('id,n\n1,1; 2;;\n2,3\n3,;\n', ['n=;']);
  t.deepEqual(documents as unknown, [{ id: 1, n: [1, 2] }, { id: 2, n: [3] }, { id: 3 }]);
  t.like(properties, { n: { type: 'long' } });
});

test('texts of documents are split too', async (t) => {
  const { documents } = await read('{"a":{"b":"x|y"}}\n{"a":{"b":"z"}}\n', ['a.b=|'], 'ndjson');
  t.deepEqual(documents as unknown, [{ a: { b: ['x', 'y'] } }, { a: { b: ['z'] } }]);
});

test('null words are no values of lists, in documents as in tables', async (t) => {
  for (const words of ['NA', 'g=NA']) {
    const table = await read('id,g\n1,NA\n2,TP53; NA\n', ['g=;'], 'csv', words);
    t.deepEqual(table.documents as unknown, [{ id: 1 }, { id: 2, g: ['TP53'] }]);
    const documents = await read('{"id":1,"g":"NA"}\n{"id":2,"g":"TP53; NA"}\n', ['g=;'], 'ndjson', words);
    t.deepEqual(documents.documents, table.documents);
  }
});

test('long numbers in JSON lists keep their digits, and null is no value', async (t) => {
  const { documents, properties } = await read('id,n\n1,"[9007199254740993, null, 9007199254740995]"\n', [
    'n=json',
  ]);
  t.deepEqual(documents as unknown, [{ id: 1, n: ['9007199254740993', '9007199254740995'] }]);
  t.like(properties, { n: { type: 'long' } });
  t.like(await read('id,n\n1,9007199254740993; 5\n', ['n=;']), { properties: { n: { type: 'long' } } });
});

test('a column that is not there, and a form that is not understood, are errors', async (t) => {
  await t.throwsAsync(read(lists, ['gene=;']), { message: /--split names gene, which is not a column/ });
  t.throws(() => readingOptions({ split: ['genes'] }), { message: /--split genes is not understood/ });
});
