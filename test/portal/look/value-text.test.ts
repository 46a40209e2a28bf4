import test from 'ava';
import { de } from '../../../portal/src/i18n/de.ts';
import { en } from '../../../portal/src/i18n/en.ts';
import { formatsOf, type Formats } from '../../../portal/src/i18n/formats.ts';
import { fr } from '../../../portal/src/i18n/fr.ts';
import { showValue } from '../../../portal/src/look/show-value.ts';
import { valueText } from '../../../portal/src/look/value-text.ts';

const keyword = { type: 'keyword' };
const boolean = { type: 'boolean' };

test('a date keeps the time and the zone that the record names, and midnight of UTC is none', (t) => {
  const { day } = formatsOf('en');
  t.is(day('2020-10-25T01:30:00+02:00'), '25 Oct 2020, 01:30:00+02:00');
  t.is(day('2020-03-08T06:59:59.250Z'), '8 Mar 2020, 06:59:59.250Z');
  t.is(day('2020-03-08T23:59'), '8 Mar 2020, 23:59');
  t.is(day('2020-06-01T00:00:00+02:00'), '1 Jun 2020, 00:00:00+02:00');
  for (const whole of [
    '2020-06-01',
    '2020-06-01T00:00',
    '2020-06-01T00:00:00.000Z',
    '2020-06-01T00:00:00+0000',
  ])
    t.is(day(whole), '1 Jun 2020');
  t.is(day('-0044-03-15T12:00Z'), '-0044-03-15, 12:00Z');
  t.is(day('2020-06-01T'), '2020-06-01T');
  t.is(formatsOf('fr').day('2020-10-25T01:30:00+02:00'), '25 oct. 2020, 01:30:00+02:00');
});

test('a value has its label, and no value and other values are written in words', (t) => {
  t.is(valueText({ key: 'C50.9', label: 'Breast' }, keyword, en), 'Breast');
  t.is(valueText({ key: 'C50.9', label: null }, undefined, en), 'C50.9');
  t.is(valueText({ key: '__missing__' }, keyword, fr), 'Sans valeur');
  t.is(valueText({ key: '__other__' }, undefined, fr), 'Autres valeurs');
});

test('true and false are written in words, as a count, a filter or a document has them', (t) => {
  t.is(valueText({ key: '1', label: 'true' }, boolean, de), 'Ja');
  t.is(valueText({ key: '0', label: 'false' }, boolean, de), 'Nein');
  t.is(valueText({ key: 'true' }, boolean, fr), 'Oui');
  t.is(valueText({ key: 'false' }, boolean, fr), 'Non');
  t.is(valueText({ key: '__missing__' }, boolean, en), 'No value');
  t.is(valueText({ key: 'true' }, keyword, en), 'true');
  t.is(valueText({ key: '1' }, keyword, en), '1');
});

test('the text of the owners stands instead of a value, of a label too', (t) => {
  const field = {
    type: 'keyword',
    displayValues: { C50: 'Breast', true: 'Alive', '': 'not recorded', n: 3 },
  };
  t.is(valueText({ key: 'C50' }, field, en), 'Breast');
  t.is(valueText({ key: '1', label: 'true' }, { ...field, type: 'boolean' }, en), 'Alive');
  t.is(valueText({ key: '' }, field, en), 'not recorded');
  t.is(valueText({ key: 'n' }, field, en), 'n');
  t.is(valueText({ key: 'toString' }, field, en), 'toString');
});

test('an empty text is not read as no value', (t) => {
  t.is(valueText({ key: '' }, keyword, en), 'empty text');
});

test('a day is that of UTC, and what is no whole day stays as it is written', (t) => {
  const { day } = formatsOf('en');
  t.is(day('2020-02-01'), '1 Feb 2020');
  t.is(day(Date.UTC(2020, 1, 1)), '1 Feb 2020');
  t.is(day('2020-02-01T05:30:00'), '1 Feb 2020, 05:30:00');
  t.is(day('2020-02-01T01:00:00+01:00'), '1 Feb 2020, 01:00:00+01:00');
  for (const date of [
    '1887',
    '2020-02',
    '01.02.2020',
    '2020/02/01',
    'now-30d/d',
    '2020-13-01',
    '-0500-03-01',
  ])
    t.is(day(date), date);
  t.is(day(Date.parse('-000500-03-01')), '-0500-03-01');
});

test('a small number is not written as zero', (t) => {
  const { number, percent } = formatsOf('en');
  t.deepEqual([0, 0.0004, 0.0005, 0.9994, 0.9996, 1].map(percent), [
    '0.0%',
    '< 0.1%',
    '0.1%',
    '99.9%',
    '> 99.9%',
    '100.0%',
  ]);
  const numbers = [0, 0.000_42, -0.000_421_9, 0.1 + 0.2, 12.3456, 1234.5678, 1_234_567];
  t.deepEqual(numbers.map(number), ['0', '0.00042', '-0.000422', '0.3', '12.346', '1,234.568', '1,234,567']);
});

test('years have no separators, and their medians no endless digits', (t) => {
  const show = showValue({ path: 'work.year', kind: 'numbers', unit: null }, formatsOf('en'));
  t.deepEqual([-206, 1977, 1977.228_778_8].map(show), ['-206', '1977', '1977.2']);
});

test('a number is read as the language writes it, and is none where it may be one of two', (t) => {
  const [en, de, fr] = ['en', 'de', 'fr'].map(formatsOf) as [Formats, Formats, Formats];
  for (const [{ readNumber }, text, expected] of [
    ...[en, de, fr].flatMap((one) => [
      ...([0, -3, 0.125, 1.234, 1234.5, 1e21, 1.5e-7] as const).map(
        (value) => [one, one.typed(value), value] as const,
      ),
      ...([1234.5, -1234567, 12_345.678] as const).map((value) => [one, one.number(value), value] as const),
      ...['', 'x', '1 2', '12 3456', '1.2.3', '1,2,3', '0x10', 'Infinity', '1,000.5,1'].map(
        (none) => [one, none, NaN] as const,
      ),
      ...(['1.5', '0.125', ' 1.5e3 ', '1234.567'] as const).map(
        (plain) => [one, plain, Number(plain)] as const,
      ),
      [one, '1 234 567', 1_234_567] as const,
      [one, '−2', -2] as const,
    ]),
    [en, '1,234', 1234],
    [en, '1,5', NaN],
    [en, '1.000', 1],
    [de, '1,5', 1.5],
    [de, '1.000', 1000],
    [de, '1.234.567,8', 1_234_567.8],
    [de, '1,234.5', NaN],
    [fr, '1,5', 1.5],
    [fr, '1.000', NaN],
    [fr, '1 000,5', 1000.5],
  ] as const)
    t.is(readNumber(text), expected, text);
});
