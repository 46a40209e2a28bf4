import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { parseSqon } from '../../src/sqon/parse.ts';
import { operatorAliases } from '../../src/sqon/describe.ts';
import { operatorNames } from '../../src/sqon/operators/table.ts';
import type { JsonValue } from '../../src/lib/json/json.ts';
import { validateSqon } from '../../src/sqon/compile.ts';
import { fieldsOf } from '../engines/cases/check-query.ts';
import { documented, examples } from '../engines/cases/documented.ts';

// what the examples find is tested on every engine: test/engines/cases/documented.ts

const fields = fieldsOf(documented);
const outcome =
  /^(?:Finds (?:everything|nothing|`d\d`(?:, `d\d`)*)\.(?: Warning: `(.+)`\.)?|Refused: `(.+)`\.)$/;

for (const { name, sqon, stated: text } of examples)
  test(`docs/filters.md describes the behaviour: ${name}`, (t) => {
    const [whole, warning, refusal] = outcome.exec(text) ?? [];
    t.is(whole, text);
    const validate = () => validateSqon(parseSqon(sqon), fields).join('; ');
    if (refusal !== undefined) t.throws(validate, { message: refusal });
    else t.is(validate(), warning ?? '');
  });

test('every block of JSON in docs/filters.md is an example, and every operator occurs', (t) => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/filters.md'), 'utf8');
  t.is(examples.length, page.split('```json\n').length - 1);
  t.true(examples.length > 50);
  for (const op of [...operatorNames, '__missing__', 'pivot'])
    t.true(
      examples.some(({ sqon }) => JSON.stringify(sqon).includes(`"${op}"`)),
      op,
    );
  for (const alias of Object.keys(operatorAliases)) t.true(page.includes(`\`${alias}\``), alias);
});

test('null, a field without order or hierarchy, an unknown term and no words are told so', (t) => {
  const validate = (sqon: JsonValue) => validateSqon(parseSqon(sqon), fields);
  t.throws(() => validate({ op: 'in', content: { fieldName: 'sex', value: null } }), {
    message:
      'filter at $.content.value: expected a string, a number, a boolean, or a list of these, found null',
  });
  t.throws(() => validate({ op: 'under', content: { fieldName: 'sex', value: ['Thorax'] } }), {
    message:
      'filter at $.op: expected in, not-in, some-not-in, all or is for field "sex" of type keyword, which has no hierarchy, found "under"',
  });
  t.throws(() => validate({ op: 'gt', content: { fieldName: 'sex', value: 'F' } }), {
    message:
      'filter at $.op: expected in, not-in, some-not-in, all or is for field "sex" of type keyword, which has no order, found "gt"',
  });
  t.throws(() => validate({ op: 'under', content: { fieldName: 'sites', value: ['Chest'] } }), {
    message:
      'filter at $.content.value[0]: expected a term of the hierarchy "sites", found "Chest" (did you mean "Thorax" (Chest)?)',
  });
  t.deepEqual(validate({ op: 'search', content: { fieldNames: ['sites'], value: ' ' } }), [
    'filter at $: no words to search for, the condition matches nothing',
  ]);
  t.deepEqual(validate({ op: 'and', content: [] }), []);
});
