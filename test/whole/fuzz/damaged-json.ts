import fc from '../../fast-check.ts';

/** Changes one place of a JSON value. */
interface Damage {
  /** Which of the value's places, counted through. */
  readonly place: number;
  readonly kind: 'replace' | 'remove' | 'wrap' | 'rename' | 'add' | 'repeat';
  readonly junk: unknown;
  readonly name: string;
}

type Path = readonly (string | number)[];

const names = fc.constantFrom(
  'op',
  'content',
  'fieldName',
  'fieldNames',
  'value',
  'pivot',
  'field',
  'Op',
  '__proto__',
  'constructor',
  'toString',
);

const words = fc.constantFrom(
  'and',
  'or',
  'not',
  'in',
  '=',
  '!=',
  '>=',
  'filter',
  'wildcard',
  'between',
  'AND',
  'xor',
  'a',
  'title',
  'copies',
  'copies.shelf',
  'copies.worn',
  'pages',
  'printed',
  'lent',
  'blurb',
  'press',
  'copies__shelf',
  '*',
  '__missing__',
  'set_id:none',
  '.',
  '',
  '__proto__',
  'constructor',
);

/** What may stand where it should not. */
export const junk: fc.Arbitrary<unknown> = fc.oneof(
  words,
  fc.constantFrom<unknown>(null, true, false, 0, -1, 1, 0.5, 1e21, '0', '1', [], {}, [null], [[]], [{}], {
    op: 'and',
  }),
  fc.constantFrom<unknown>(
    { op: 'and', content: [] },
    { op: 'not', content: [] },
    { op: 'in', content: { fieldName: 'title', value: ['a'] } },
    { fieldName: 'title', value: 'b' },
  ),
  fc.jsonValue({ maxDepth: 2 }),
);

const damage: fc.Arbitrary<Damage> = fc.record({
  place: fc.nat(200),
  kind: fc.constantFrom('replace', 'replace', 'replace', 'remove', 'wrap', 'rename', 'add', 'repeat'),
  junk,
  name: names,
});

/** Values of an arbitrary with up to `most` places damaged. */
export const damaged = (values: fc.Arbitrary<unknown>, most = 3): fc.Arbitrary<unknown> =>
  fc
    .tuple(values, fc.array(damage, { maxLength: most }))
    .map(([value, damages]) => damages.reduce(applied, value));

const applied = (value: unknown, { place, kind, junk: found, name }: Damage): unknown => {
  const all = placesOf(value, []);
  const path = all[place % all.length]!;
  return changed(value, path, (at) => {
    switch (kind) {
      case 'replace':
        return found;
      case 'remove':
        return undefined;
      case 'wrap':
        return [at];
      case 'rename':
        return renamed(at, name);
      case 'add':
        return isObject(at) ? withKey(at, name, found) : Array.isArray(at) ? [...at, found] : at;
      case 'repeat':
        return Array.isArray(at) ? [...at, ...at] : at;
    }
  });
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const placesOf = (value: unknown, path: Path): Path[] => {
  const entries: [string | number, unknown][] = Array.isArray(value)
    ? value.map((item, at) => [at, item])
    : isObject(value)
      ? Object.entries(value)
      : [];
  return [path, ...entries.flatMap(([key, item]) => placesOf(item, [...path, key]))];
};

/** Entries, not assignment: a key may be `__proto__`. */
const withKey = (object: Readonly<Record<string, unknown>>, key: string, value: unknown) =>
  Object.fromEntries([...Object.entries(object).filter(([known]) => known !== key), [key, value]]);

const renamed = (value: unknown, name: string): unknown => {
  if (!isObject(value)) return value;
  const [first, ...rest] = Object.entries(value);
  return first === undefined ? value : Object.fromEntries([[name, first[1]], ...rest]);
};

const changed = (value: unknown, path: Path, change: (at: unknown) => unknown): unknown => {
  const [key, ...rest] = path;
  if (key === undefined) return change(value);
  if (Array.isArray(value))
    return value.flatMap((item, at): unknown[] => {
      if (at !== key) return [item];
      const result = changed(item, rest, change);
      return result === undefined ? [] : [result];
    });
  const entries = Object.entries(value as Readonly<Record<string, unknown>>).flatMap(
    ([name, item]): [string, unknown][] => {
      if (name !== key) return [[name, item]];
      const result = changed(item, rest, change);
      return result === undefined ? [] : [[name, result]];
    },
  );
  return Object.fromEntries(entries);
};
