import type { JsonObject, JsonValue } from '../../../src/lib/json/json.ts';
import type { Random } from '../../engines/random-documents.ts';

/** The network's fields. */
export const types: Readonly<Record<string, string>> = {
  k: 'keyword',
  c: 'keyword',
  g: 'keyword',
  n: 'long',
  x: 'double',
  d: 'date',
  b: 'boolean',
  items: 'nested',
  'items.k': 'keyword',
  'items.c': 'keyword',
  'items.g': 'keyword',
  'items.n': 'integer',
  'items.subs': 'nested',
  'items.subs.k': 'keyword',
};
export const paths = Object.keys(types);
const nestedPaths = paths.filter((path) => types[path] === 'nested');

/** The nested paths around a field, the outermost first. */
export const nestedAround = (path: string): readonly string[] =>
  nestedPaths.filter((outer) => path.startsWith(`${outer}.`));

export const words = ['q', 'p', 'Red', 'rot', 'ROT', 'Violet', 'Scarlet', '', 'a*b', '\u{1F600}', '\uFFFD'];
export const wholeNumbers: readonly (number | string)[] = [
  ...[0, 1, 2, -3, 2_147_483_648],
  '9223372036854775807',
  '9223372036854775806',
  '-9223372036854775808',
  '-9223372036854775807',
  '9007199254740993',
];
export const fractions = [
  0, 0.25, -1.5, 3, 7, 8, 9_223_372_036_854_775_808, -9_223_372_036_854_775_808, 1e19,
];
const dates: readonly (string | number)[] = [
  '2020-01-01',
  '2020-01-01T12:00:00Z',
  '1969-12-31',
  '1969-12-31T23:59:59.999Z',
  0,
  '1970-01-01',
];
/** Numbers before 1970 that servers would take for years when they are stored. */
export const queriedDates: readonly (string | number)[] = [...dates, -86_400_000, -1, -1_000];

/** One node: what it has, how it calls it, and its records. */
export interface Institution {
  readonly nodeId: string;
  /** Network path -> its own, of the fields it has. */
  readonly own: ReadonlyMap<string, string>;
  readonly types: Readonly<Record<string, string>>;
  /** Network path -> its own value -> the network's. */
  readonly values: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly records: readonly Item[];
}

export interface Item {
  readonly id: string;
  /** As the node stores it. */
  readonly stored: JsonObject;
  /** In the network's names and values, of the fields that the node has. */
  readonly shown: JsonObject;
}

const listings: readonly Readonly<Record<string, string>>[] = [
  { rot: 'Red', v: 'Violet' },
  { Red: 'rot', q: 'Violet', ROT: 'Violet' },
  { Scarlet: 'a*b', 'a*b': 'p', Violet: '' },
];

/** @param isTranslating whether nodes may have values of their own */
export const randomConsortium = (random: Random, isTranslating = true): readonly Institution[] =>
  Array.from({ length: 1 + random.below(4) }, (_, index) => {
    const has = new Set(paths.filter(() => random.chance(0.75)));
    for (const path of [...has]) if (nestedAround(path).some((outer) => !has.has(outer))) has.delete(path);
    const own = ownNames(random, has);
    const values = Object.fromEntries(
      ['c', 'items.c'].flatMap((path) =>
        isTranslating && has.has(path) && random.chance(0.6) ? [[path, random.pick(listings)]] : [],
      ),
    );
    const style = {
      nodeId: random.pick(['n', 'N', 'é']) + index,
      own,
      types: {
        ...types,
        n: random.pick(['long', 'long', 'double']),
        'items.n': random.pick(['integer', 'integer', 'double']),
      },
      values,
    };
    const records = Array.from({ length: random.below(9) }, (__, at) =>
      randomRecord(random, style, `${index}-${at}`),
    );
    return { ...style, records };
  });

/** Some keep their names, some have others, and some names are those of network fields that the node lacks. */
const ownNames = (random: Random, has: ReadonlySet<string>): ReadonlyMap<string, string> => {
  const style = random.below(3);
  const segment = (path: string): string => {
    const name = path.slice(path.lastIndexOf('.') + 1);
    if (style === 0) return name;
    if (style === 1) return `own-${name}`;
    const [outer, other] = [path.slice(0, -name.length), name === 'k' ? 'g' : 'k'];
    return (name === 'k' || name === 'g') && paths.includes(outer + other) ? other : name;
  };
  const own = new Map<string, string>();
  for (const path of has) {
    const outer = nestedAround(path).at(-1);
    own.set(path, outer === undefined ? segment(path) : `${own.get(outer)!}.${segment(path)}`);
  }
  return own;
};

type Style = Omit<Institution, 'records'>;

const randomRecord = (random: Random, style: Style, id: string): Item => {
  const object = (scope: string): { stored: JsonObject; shown: JsonObject } => {
    const stored: { [key: string]: JsonValue } = {};
    const shown: { [key: string]: JsonValue } = {};
    for (const [path, ownPath] of style.own) {
      if ((nestedAround(path).at(-1) ?? '') !== scope || random.chance(0.2)) continue;
      const [key, ownKey] = [
        path.slice(path.lastIndexOf('.') + 1),
        ownPath.slice(ownPath.lastIndexOf('.') + 1),
      ];
      if (style.types[path] === 'nested') {
        const objects = Array.from({ length: random.below(4) }, () => object(path));
        stored[ownKey] = objects.map((one) => one.stored);
        shown[key] = objects.map((one) => one.shown);
      } else {
        const several = random.chance(0.3) ? random.below(4) : 1;
        const values = Array.from({ length: several }, () => randomValue(random, style, path));
        stored[ownKey] = several === 1 ? values[0]! : values;
        shown[key] = values.map((value) => style.values[path]?.[String(value)] ?? value);
      }
    }
    return { stored, shown };
  };
  return { id, ...object('') };
};

const randomValue = (random: Random, style: Style, path: string): JsonValue => {
  switch (style.types[path]) {
    case 'keyword':
      return random.pick([...words, ...Object.keys(style.values[path] ?? {})]);
    case 'long':
      return random.pick(random.chance(0.4) ? wholeNumbers : [0, 1, 2]);
    case 'integer':
      return random.pick([0, 1, 2, 5, 11, -7]);
    case 'double':
      return random.pick(path === 'x' && random.chance(0.2) ? fractions : fractions.slice(0, 6));
    case 'boolean':
      return random.chance(0.5);
    default:
      return random.pick(dates);
  }
};

/** The mapping of a node's index. */
export const propertiesOf = ({ own, types: its }: Institution): JsonObject => {
  const root: Properties = { id: { type: 'keyword' } };
  const at = new Map<string, Properties>([['', root]]);
  for (const [path, ownPath] of own) {
    const outer = nestedAround(path).at(-1) ?? '';
    // one without properties would be no nested path
    const inside: Properties = { note: { type: 'keyword' } };
    const isNested = its[path] === 'nested';
    at.get(outer)![ownPath.slice(ownPath.lastIndexOf('.') + 1)] = {
      type: its[path]!,
      ...(isNested && { properties: inside }),
    };
    at.set(path, inside);
  }
  return root as JsonObject;
};

interface Properties {
  [name: string]: { readonly type: string; readonly properties?: Properties };
}
