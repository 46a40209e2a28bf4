import test from 'ava';
import fc from '../../fast-check.ts';
import type { CellForm } from '../../../src/local/download/cell-text.ts';
import { cellText, jsonCell } from '../../../src/local/download/cell-text.ts';
import { escapeFormula } from '../../../src/lib/text/escape-formula.ts';
import { dateText } from '../../../src/local/download/date-text.ts';
import { bookFields } from '../catalogue-fixture.ts';

const plain: CellForm = {
  dates: null,
  displayValues: {},
  listSeparator: ';',
  isNumber: false,
  isWide: false,
  valueWhenEmpty: '--',
  escapesFormulas: true,
};

test('values are joined by comma, the items of a list by the separator of its form', (t) => {
  t.is(cellText(['a', ['b', 'c'], 1], plain), 'a, b;c, 1');
  t.is(cellText([['b', null, ['c', false]]], { ...plain, listSeparator: ', ' }), 'b, c, false');
});

test('0, false and the empty text are values', (t) => {
  t.is(cellText([0], plain), '0');
  t.is(cellText([false], plain), 'false');
  t.is(cellText([''], plain), '');
});

test('no values, empty lists and nulls are empty', (t) => {
  t.is(cellText([], plain), '--');
  t.is(cellText([[], [null]], { ...plain, valueWhenEmpty: 'n/a' }), 'n/a');
});

test('an object is shown as the values it holds, at any depth', (t) => {
  const object = { name: 'North', seat: { City: 'Oslo', gone: null }, years: [1901, [1902]], open: false };
  t.is(cellText([object], plain), 'North, Oslo, 1901, 1902, false');
  t.is(cellText([[{ a: 1, b: 2 }, { a: 3 }]], plain), '1, 2, 3');
  t.is(cellText([{}, { a: {} }, { b: null }], plain), '--');
  t.is(cellText([{ a: 'x' }], { ...plain, displayValues: { x: 'y' } }), 'y');
  t.is(cellText([{ a: '=1', b: 2 }], plain), `'=1, 2`);
});

test('display values take the place of values, by their text', (t) => {
  const form = { ...plain, displayValues: { true: 'yes', '0': 'none', odd: 7 } };
  t.is(cellText([[true, 0, 'odd']], form), 'yes;none;odd');
  t.is(cellText(['toString'], form), 'toString');
});

test('text that begins like a formula is neutralised, in every cell', (t) => {
  for (const text of ['=1+1', '+1+1', '-1-1', '-A1', '@sum', '\tx', '\rx', '\nx'])
    t.is(cellText([text], plain), `'${text}`);
  t.is(cellText([['=1', 2]], plain), `'=1;2`);
  t.is(cellText([], { ...plain, valueWhenEmpty: '=1' }), `'=1`);
  t.is(cellText([true], { ...plain, displayValues: { true: '=1' } }), `'=1`);
});

test('what follows a semicolon is neutralised too: many programs separate cells there', (t) => {
  for (const [text, cell] of [
    ['a;=1+1', "a;'=1+1"],
    ['=a;@b;-c', "'=a;'@b;'-c"],
    ['a; =1', "a; '=1"],
    ['a;\n=1', "a;\n'=1"],
    ['a;";=1', 'a;";\'=1'],
    ['a;-1.5;+;x', 'a;-1.5;+;x'],
  ] as const)
    t.is(cellText([text], plain), cell);
  t.is(cellText([['a', '=1']], plain), "a;'=1");
  t.is(cellText(['a;=1'], { ...plain, escapesFormulas: false }), 'a;=1');
});

test('signs and numbers are not formulas, and nothing is where the request has it so', (t) => {
  for (const text of ['+', '-', '-/-', '+/-', '-3.5', '+1e5', '-.5']) t.is(cellText([text], plain), text);
  for (const text of ['=1+1', '-A1', '\nx'])
    t.is(cellText([text], { ...plain, escapesFormulas: false }), text);
});

test('an object of a list without a value keeps its position', (t) => {
  t.is(cellText(['k1', null, 'k3'], plain), 'k1, --, k3');
  t.is(cellText([null, 'k2'], { ...plain, valueWhenEmpty: '=1' }), `'=1, k2`);
  t.deepEqual(jsonCell(['k1', null, 'k3'], undefined, true), ['k1', null, 'k3']);
});

test('numbers and dates begin as they like', (t) => {
  t.is(cellText([-1.5], plain), '-1.5');
  t.is(cellText([[-1, -2]], plain), '-1;-2');
  t.is(cellText(['-7'], { ...plain, isNumber: true }), '-7');
  t.is(cellText(['-7; =1'], { ...plain, isNumber: true }), `'-7; '=1`);
  const dates = dateText('yyyy');
  t.is(cellText(['2020-05-06'], { ...plain, dates }), '2020');
});

test('a date that is none shows what is stored', (t) => {
  t.is(cellText(['soon'], { ...plain, dates: dateText(null) }), 'soon');
});

test('a date format cannot smuggle a formula in', (t) => {
  t.is(cellText(['2020-05-06'], { ...plain, dates: dateText("'=1+'yyyy") }), `'=1+2020`);
});

test('no text cell ever begins like a formula', (t) => {
  const cells = fc.array(fc.oneof(fc.string(), fc.array(fc.string())));
  t.notThrows(() =>
    fc.assert(
      fc.property(cells, (values) => {
        const text = cellText(values, plain);
        return !/^[=@\t\r\n]|^[+-].*[a-z(=@]/is.test(text) || !Number.isNaN(Number(text));
      }),
    ),
  );
});

const fields = bookFields();

test('values have the type of the schema, what does not fit stays as stored', (t) => {
  t.is(jsonCell(['80'], fields.get('pages'), false), 80);
  t.is(jsonCell([0], fields.get('price'), false), 0);
  t.is(jsonCell(['unknown'], fields.get('price'), false), 'unknown');
  t.is(jsonCell(['false'], fields.get('lendable'), false), false);
  t.is(jsonCell([7], fields.get('title'), false), '7');
  t.deepEqual(jsonCell([{ a: 1 }], fields.get('extra'), false), { a: 1 });
});

test('nothing is null, an empty list of a list column is one', (t) => {
  t.is(jsonCell([], fields.get('title'), false), null);
  t.is(jsonCell([], fields.get('genres'), true), null);
  t.deepEqual(jsonCell([[]], fields.get('genres'), true), []);
});

test('a list where there may be several values or are', (t) => {
  t.deepEqual(jsonCell(['nature'], fields.get('genres'), true), ['nature']);
  t.deepEqual(jsonCell(['a', ['b', null]], fields.get('title'), false), ['a', 'b']);
  t.deepEqual(jsonCell([['en', 'fr']], fields.get('languages'), false), ['en', 'fr']);
});

test('only the first character counts', (t) => {
  t.is(escapeFormula('=A1'), `'=A1`);
  t.is(escapeFormula('-a'), `'-a`);
  t.is(escapeFormula('a=1'), 'a=1');
  t.is(escapeFormula(' =1'), ' =1');
  t.is(escapeFormula(''), '');
});
