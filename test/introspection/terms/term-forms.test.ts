import test from 'ava';
import {
  addressBlock,
  addressDigits,
  compareTerms,
  constantOf,
  typeForm,
} from '../../../src/introspection/terms/term-forms.ts';

const ip = typeForm('ip')!;

const shown = (address: string): string | null => {
  const term = ip.term(address);
  return term === null ? null : ip.shown(term);
};

for (const [written, kept] of [
  ['2001:0DB8:0000:0000:0000:0000:0000:0001', '2001:db8::1'],
  ['2001:db8:0:1:0:0:0:1', '2001:db8:0:1::1'],
  ['2001:db8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
  ['1:0:2:3:4:5:6:7', '1:0:2:3:4:5:6:7'],
  ['::FFFF:10.0.0.1', '10.0.0.1'],
  ['::ffff:a00:1', '10.0.0.1'],
  ['::10.0.0.1', '::a00:1'],
  ['0:0:0:0:0:0:0:0', '::'],
  ['fe80::1%eth0', null],
  ['010.0.0.1', null],
  ['10.0.0.0/8', null],
  ['', null],
] as const)
  test(`the address ${written}`, (t) => {
    t.is(shown(written), kept);
  });

test('blocks have a first and a last address', (t) => {
  t.deepEqual(addressBlock('10.1.2.3/8'), [addressDigits('10.0.0.0'), addressDigits('10.255.255.255')]);
  t.deepEqual(addressBlock('2001:db8::/127'), [addressDigits('2001:db8::'), addressDigits('2001:db8::1')]);
  t.deepEqual(addressBlock('::/0'), [addressDigits('::'), 'f'.repeat(32)]);
  for (const text of [
    '10.0.0.0',
    '10.0.0.0/33',
    '::/129',
    '::ffff:10.0.0.0/104',
    '10.0.0.0/8/8',
    'a/8',
    '10.0.0.0/',
  ])
    t.is(addressBlock(text), null, text);
});

test('versions in their order', (t) => {
  const ordered = [
    '0.9',
    '1',
    '1.0.0-0',
    '1.0.0-1',
    '1.0.0-11',
    '1.0.0-alpha',
    '1.0.0-alpha.1',
    '1.0.0-alpha.beta',
    '1.0.0-alpha2',
    '1.0.0-alpha11',
    '1.0.0-beta',
    '1.0.0',
    '1.0.0+b',
    '1.0.0.1',
    '1.0.2',
    '1.0.10',
    '1.2',
    '10',
    '100000000000000000000',
    '01.2',
    'v1',
  ];
  t.deepEqual(
    ordered.toReversed().toSorted((left, right) => compareTerms('version', left, right)),
    ordered,
  );
});

test('the constant of a mapping', (t) => {
  t.is(constantOf({ type: 'constant_keyword', value: 7 }), '7');
  t.is(constantOf({ type: 'constant_keyword' }), undefined);
  t.is(constantOf({ type: 'keyword', value: 'a' }), undefined);
});
