import test from 'ava';
import { printEstablishedFilter } from '../../../src/federation/remote/established-filter.ts';
import { readFields } from '../../../src/introspection/mapping/mapping.ts';
import { parseSqon, printSqon } from '../../../src/sqon/parse.ts';
import { group, leaf } from '../../engines/cases/case.ts';

const { fields } = readFields({
  note: { type: 'text' },
  day: { type: 'date', format: 'yyyyMMdd' },
  at: { type: 'date' },
  visits: { type: 'nested', properties: { at: { type: 'date', format: 'epoch_second' } } },
});

const may = '1714521600';
const june = '1717199999';

for (const [name, filter, written] of [
  ['a word of text is in small letters', leaf('in', 'note', ['Oslo']), leaf('in', 'note', ['oslo'])],
  [
    'several words are conditions of their own',
    leaf('in', 'note', ['First visit', 'Oslo']),
    group('or', [
      group('and', [leaf('in', 'note', ['first']), leaf('in', 'note', ['visit'])]),
      leaf('in', 'note', ['oslo']),
    ]),
  ],
  [
    'the last word may go on',
    leaf('not-in', 'note', ['Os*', '__missing__']),
    group('not', [leaf('in', 'note', ['os*', '__missing__'])]),
  ],
  ['a pattern inside words', leaf('in', 'note', ['*SL*']), leaf('in', 'note', ['*sl*'])],
  ['a day in its own format', leaf('in', 'day', ['2024-05-01']), leaf('in', 'day', ['20240501'])],
  ['a day that it reads', leaf('in', 'at', ['2024-05-01']), leaf('in', 'at', ['2024-05-01'])],
  [
    'a month',
    leaf('in', 'day', ['2024-05']),
    group('or', [leaf('between', 'day', ['20240501', '20240531'])]),
  ],
  [
    'a day in seconds beside no value',
    leaf('in', 'visits.at', ['2024-05', '__missing__']),
    group('or', [leaf('between', 'visits.at', [may, june]), leaf('in', 'visits.at', ['__missing__'])]),
  ],
  ['a bound', leaf('gt', 'visits.at', ['2024-05']), leaf('gt', 'visits.at', [june])],
  [
    'a year to a day of it',
    leaf('between', 'day', ['2024', '2024-05-01']),
    leaf('between', 'day', ['20240101', '20240501']),
  ],
  [
    'a moment that no date is',
    leaf('in', 'day', ['2024-05-01T10:00:00Z', '2024-05-02']),
    group('or', [leaf('in', 'day', []), leaf('in', 'day', ['20240502'])]),
  ],
  [
    'a range without any date',
    leaf('between', 'day', ['2024-05-01T10:00:00Z', '2024-05-01T11:00:00Z']),
    leaf('in', 'day', []),
  ],
  ['a bound between two dates', leaf('lt', 'day', ['2024-05-01T10:00:00Z']), leaf('lt', 'day', ['20240502'])],
] as const)
  test(`for an established node: ${name}`, (t) => {
    const sent = printEstablishedFilter(parseSqon(filter), { fields, facets: new Set() }, () => t.fail());
    const wanted = printSqon(parseSqon(written));
    t.deepEqual(
      sent,
      'fieldName' in (wanted as { content: object }).content
        ? printSqon(parseSqon(group('and', [written])))
        : wanted,
    );
  });
