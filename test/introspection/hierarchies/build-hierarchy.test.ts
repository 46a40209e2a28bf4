import test from 'ava';
import { TributaryError } from '../../../src/lib/errors/errors.ts';
import type { Term } from '../../../src/introspection/hierarchies/build-hierarchy.ts';
import { buildHierarchy } from '../../../src/introspection/hierarchies/build-hierarchy.ts';
import type { Hierarchy } from '../../../src/introspection/hierarchies/hierarchy.ts';
import fc, { sampled } from '../../fast-check.ts';

const term = (id: string, parents: readonly string[] = [], more: Partial<Term> = {}): Term => ({
  id,
  label: '',
  synonyms: [],
  parents,
  obsolete: false,
  replacedBy: null,
  ...more,
});

const build = (terms: readonly Term[]): Hierarchy => buildHierarchy('test', terms, 'terms.csv');

const idsOf = (hierarchy: Hierarchy, terms: Uint32Array): readonly string[] =>
  hierarchy.ids(terms).toSorted();

/** An acyclic graph: parents come from the terms before, and the file has them in any order. */
const graphs = fc
  .array(fc.array(fc.nat(30), { maxLength: 4 }), { maxLength: 30 })
  .map((lists) =>
    lists.map((parents, at) =>
      term(`t${at}`, at === 0 ? [] : [...new Set(parents.map((parent) => `t${parent % at}`))]),
    ),
  )
  .chain((terms) => fc.shuffledSubarray(terms, { minLength: terms.length }));

const ancestorsOf = (terms: readonly Term[], id: string): ReadonlySet<string> =>
  new Set([
    id,
    ...terms.find((each) => each.id === id)!.parents.flatMap((parent) => [...ancestorsOf(terms, parent)]),
  ]);

const levelOf = (terms: readonly Term[], id: string): number =>
  Math.max(-1, ...terms.find((each) => each.id === id)!.parents.map((parent) => levelOf(terms, parent))) + 1;

test('lists of random graphs are those of a plain search', (t) => {
  fc.assert(
    fc.property(graphs, (terms) => {
      const hierarchy = build(terms);
      const above = new Map(terms.map(({ id }) => [id, ancestorsOf(terms, id)]));
      for (const { id, parents } of terms) {
        const at = hierarchy.indexOf(id)!;
        t.is(hierarchy.id(at), id);
        t.deepEqual(idsOf(hierarchy, hierarchy.parents(at)), parents.toSorted());
        const children = terms.filter((other) => other.parents.includes(id)).map((other) => other.id);
        t.deepEqual(idsOf(hierarchy, hierarchy.children(at)), children.toSorted());
        const below = terms.filter((other) => above.get(other.id)!.has(id)).map((other) => other.id);
        t.deepEqual(idsOf(hierarchy, hierarchy.descendants(at)), below.toSorted());
        for (const list of [hierarchy.parents(at), hierarchy.children(at), hierarchy.descendants(at)])
          t.deepEqual(list, list.toSorted());
      }
      const roots = terms.filter(({ parents }) => parents.length === 0).map(({ id }) => id);
      t.deepEqual(idsOf(hierarchy, hierarchy.roots), roots.toSorted());
      t.is(hierarchy.depth, Math.max(0, ...terms.map(({ id }) => levelOf(terms, id) + 1)));
    }),
  );
});

test('terms of one level are in the order of their ids, the shorter first of two that begin alike', (t) => {
  const hierarchy = build([term('b'), term('ab'), term('a')]);
  t.deepEqual(hierarchy.ids(hierarchy.roots), ['a', 'ab', 'b']);
});

test('equal graphs have equal fingerprints and numbers, others do not', (t) => {
  fc.assert(
    fc.property(graphs, (terms) => {
      const hierarchy = build(terms);
      const reversed = build(terms.toReversed().map((each) => ({ ...each, label: 'another' })));
      t.is(hierarchy.fingerprint, reversed.fingerprint);
      for (const { id } of terms) t.is(hierarchy.indexOf(id), reversed.indexOf(id));
      t.not(build([...terms, term('more')]).fingerprint, hierarchy.fingerprint);
      const [child] = terms.filter(({ parents }) => parents.length > 0);
      if (child !== undefined)
        t.not(
          build(terms.map((each) => (each === child ? { ...child, parents: [] } : each))).fingerprint,
          hierarchy.fingerprint,
        );
    }),
  );
});

test('texts of terms are kept as they are', (t) => {
  const hierarchy = build([
    term('HP:0000118', [], { label: 'Phenotypic abnormality' }),
    term('HP:0001250', ['HP:0000118'], { label: 'Seizure', synonyms: ['Épilepsie', 'Krampfanfälle 🧠'] }),
    term('HP:0000001', ['HP:0000118']),
  ]);
  const seizure = hierarchy.indexOf('HP:0001250')!;
  t.is(hierarchy.label(seizure), 'Seizure');
  t.deepEqual(hierarchy.synonyms(seizure), ['Épilepsie', 'Krampfanfälle 🧠']);
  t.is(hierarchy.label(hierarchy.indexOf('HP:0000001')!), 'HP:0000001');
  t.is(hierarchy.indexOf('HP:000125'), undefined);
  t.is(hierarchy.indexOf('hp:0001250'), undefined);
  t.is(hierarchy.indexOf(''), undefined);
});

test('an obsolete term keeps its replacement and is a root only with children', (t) => {
  const hierarchy = build([
    term('a'),
    term('old', [], { obsolete: true, replacedBy: 'a' }),
    term('older', [], { obsolete: true, replacedBy: 'elsewhere' }),
    term('gone', [], { obsolete: true }),
    term('b', ['gone']),
  ]);
  const old = hierarchy.indexOf('old')!;
  t.true(hierarchy.isObsolete(old));
  t.is(hierarchy.replacedBy(old), hierarchy.indexOf('a'));
  t.is(hierarchy.replacedBy(hierarchy.indexOf('older')!), undefined);
  t.false(hierarchy.isObsolete(hierarchy.indexOf('a')!));
  t.deepEqual(idsOf(hierarchy, hierarchy.roots), ['a', 'gone']);
});

const diseases = build([
  term('C00-D49', [], { label: 'Neoplasms' }),
  term('C15', ['C00-D49'], { label: 'Malignant neoplasm of oesophagus', synonyms: ['Oesophageal cancer'] }),
  term('C16', ['C00-D49'], {
    label: 'Malignant neoplasm of stomach',
    synonyms: ['Gastric cancer', 'Magen-Ca'],
  }),
  term('C16.1', ['C16'], { label: 'Stomach' }),
]);

const found = (text: string, limit = 10, among?: Uint32Array): readonly string[] =>
  diseases.search(text, limit, among).map((at) => diseases.id(at));

test('terms are found by label, synonym and id, equal texts first', (t) => {
  t.deepEqual(found('stomach'), ['C16.1', 'C16']);
  t.deepEqual(found('c16'), ['C16', 'C16.1']);
  t.deepEqual(found('MAGEN'), ['C16']);
  t.deepEqual(found('cancer'), ['C15', 'C16']);
  t.deepEqual(found('cancer', 1), ['C15']);
  t.deepEqual(found('cancer', 10, diseases.descendants(diseases.indexOf('C16')!)), ['C16']);
  t.deepEqual(found('œsophagus'), ['C15']);
  t.deepEqual(found('Ösophageal'), []);
  t.deepEqual(found('oésophagus'), ['C15']);
  t.deepEqual(found('lung'), []);
  t.deepEqual(found(''), []);
  t.deepEqual(found('neoplasms\nC15'), []);
});

test('terms of any script are found by their labels, however many there are', (t) => {
  const scripts = {
    Hangul: 0xac00,
    Han: 0x4e00,
    Greek: 0x3b1,
    Devanagari: 0x905,
    Latin: 0x1e00,
    lengthened: 0x23a,
  };
  for (const [script, first] of Object.entries(scripts)) {
    const labels = Array.from({ length: 300 }, (_, at) =>
      String.fromCodePoint(first + (at % 5)).repeat(1 + at),
    );
    const found = build(labels.map((label, at) => term(`${script}${at}`, [], { label })));
    for (const [at, label] of sampled([...labels.entries()].reverse()))
      t.is(found.id(found.search(label, 1)[0]!), `${script}${at}`, label.slice(0, 3));
  }
});

test('unknown ids are answered with the terms that may be meant', (t) => {
  t.deepEqual(diseases.suggest('gastric cancer'), [{ id: 'C16', label: 'Malignant neoplasm of stomach' }]);
  t.deepEqual(
    diseases.suggest('C16.2').map(({ id }) => id),
    ['C16.1'],
  );
  t.deepEqual(
    diseases.suggest('C51').map(({ id }) => id),
    ['C15'],
  );
  t.deepEqual(
    diseases.suggest('Stomahc').map(({ id }) => id),
    ['C16.1'],
  );
  t.deepEqual(diseases.suggest('something else'), []);
});

const messageOf = (terms: readonly Term[]): string => {
  try {
    build(terms);
    return 'no error';
  } catch (error) {
    return error instanceof TributaryError ? error.message : String(error);
  }
};

test('terms that form no hierarchy are refused with file, line and term', (t) => {
  t.is(
    messageOf([term('a', [], { line: 2 }), term('b', ['x'], { line: 3 })]),
    'terms.csv line 3: "b" stands under "x", which is not in the file',
  );
  t.is(
    messageOf([term('a', [], { line: 2 }), term('a', [], { line: 7 })]),
    'terms.csv line 7: "a" is there twice, first in line 2',
  );
  t.is(messageOf([term('a', ['a'])]), 'terms.csv: "a" stands under itself: "a" under "a"');
  const cycle = messageOf([
    term('r'),
    term('x', ['c']),
    term('a', ['r', 'b']),
    term('b', ['c']),
    term('c', ['a']),
  ]);
  t.is(cycle, 'terms.csv: "c" stands under itself: "c" under "a" under "b" under "c"');
});

test('a hierarchy too deep to keep is refused', (t) => {
  const chain = Array.from({ length: 17_000 }, (_, at) => term(`t${at}`, at === 0 ? [] : [`t${at - 1}`]));
  t.regex(messageOf(chain), /^terms\.csv: "t16383" makes the hierarchy too deep: at most 134217728 pairs/);
});
