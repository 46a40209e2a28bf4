import type { JsonObject, JsonValue } from '../../../src/lib/json/json.ts';
import type { Random } from '../../engines/random-documents.ts';
import { addresses, blocks, versions, type Condition, type Leaf, type Record } from './typed-oracle.ts';

/** A node: how it writes dates and numbers, and which fields it does not have. */
export interface Shape {
  readonly nodeId: string;
  readonly dayFormat: string | undefined;
  readonly x: 'long' | 'double';
  readonly lacks: readonly string[];
}

const codes = [
  'a',
  'A',
  'HLA-A*02:01',
  'HLA-A*02:02',
  'HLA-A*',
  'B*',
  '*',
  '*b',
  'set_id:x',
  '__missing__',
  'b c',
  '',
  'Ä',
];
const wholes = [
  0n,
  -1n,
  7n,
  2n ** 31n,
  2n ** 53n - 1n,
  2n ** 53n,
  2n ** 53n + 1n,
  -(2n ** 53n) - 1n,
  2n ** 63n - 1n,
  -(2n ** 63n),
];
const unsigned = [0n, 3_000_000_000n, 2n ** 53n + 1n, 2n ** 63n, 2n ** 64n - 1n];
const fractions = [0, -0.5, 0.1, 7, 2 ** 31, 1e21, 2 ** 53, 2 ** 53 + 2];
const days = [
  '2024-02-29T00:00:00Z',
  '2024-02-29T23:59:59Z',
  '2024-03-01T12:00:00Z',
  '1969-12-31T23:00:00Z',
  '2001-01-01T00:00:00Z',
].map((text) => Date.parse(text));
const colors = ['red', 'Red', 're*', 'blue', '5'];

const several = <Item>(random: Random, items: readonly Item[]): readonly Item[] =>
  random.chance(0.2)
    ? []
    : Array.from({ length: random.chance(0.7) ? 1 : 2 + random.below(2) }, () => random.pick(items));

export const randomRecords = (
  random: Random,
  { nodeId, x, lacks }: Shape,
  count: number,
): readonly Record[] =>
  Array.from({ length: count }, (_, at): Record => ({
    id: `${nodeId}${at}`,
    node: nodeId,
    code: several(random, codes),
    n: several(random, wholes),
    x: several<bigint | number>(random, x === 'long' ? wholes : fractions),
    u: several(random, unsigned),
    day: several(random, days),
    ip: lacks.includes('ip') ? [] : several(random, addresses),
    v: lacks.includes('v') ? [] : several(random, versions),
    tags: lacks.includes('tags')
      ? {}
      : { color: several(random, colors), 'size.w': several(random, ['5', 'red', '1.5']) },
  }));

/** As a node stores it: numbers beyond 2^53 as digits, dates in its format. */
export const storedRecord = (record: Record, { dayFormat, lacks }: Shape): JsonObject => {
  const { id, code, n, x, u, day, ip, v, tags } = record;
  const size = tags['size.w'] ?? [];
  return {
    id,
    ...listed('code', code),
    ...listed('n', n.map(digits)),
    ...listed(
      'x',
      x.map((value) => (typeof value === 'bigint' ? digits(value) : value)),
    ),
    ...listed('u', u.map(digits)),
    ...listed(
      'day',
      day.map((ms, at) => dayText(ms, dayFormat, at)),
    ),
    ...listed(
      'ip',
      ip.map(({ spellings }, at) => spellings[at % spellings.length]!),
    ),
    ...listed('v', v),
    ...(!lacks.includes('tags') && {
      tags: {
        ...listed('color', tags['color'] ?? []),
        ...(size.length > 0 && { size: { w: size.map((one) => (one === 'red' ? one : Number(one))) } }),
      },
    }),
  };
};

const listed = (key: string, values: readonly JsonValue[]): JsonObject =>
  values.length === 0 ? {} : { [key]: values.length === 1 ? values[0]! : [...values] };

const digits = (value: bigint): JsonValue =>
  Number.isSafeInteger(Number(value)) ? Number(value) : String(value);

const dayText = (ms: number, format: string | undefined, at: number): JsonValue => {
  if (format === 'epoch_second') return ms / 1000;
  const iso = new Date(ms).toISOString();
  if (format === undefined) return iso;
  return at % 2 === 1 ? ms : iso.slice(0, 19).replaceAll('-', '/').replace('T', ' ');
};

/** A filter as a client writes it. */
export const randomCondition = (random: Random, depth: number): Condition => {
  if (depth === 0 || random.chance(0.4)) return randomLeaf(random);
  const content = Array.from({ length: 1 + random.below(3) }, () => randomCondition(random, depth - 1));
  return { op: random.pick(['and', 'or', 'not'] as const), content };
};

const listOps = ['in', 'in', 'not-in', 'is', 'all'] as const;
const rangeOps = ['gt', 'gte', 'lt', 'lte', 'between'] as const;

const randomLeaf = (random: Random): Leaf => {
  const fieldName = random.pick([
    'code',
    'n',
    'x',
    'u',
    'day',
    'ip',
    'v',
    'tags',
    'tags.color',
    'tags.size.w',
    'tags.none',
  ]);
  const hasOrder = ['n', 'x', 'u', 'day', 'ip', 'v'].includes(fieldName);
  if (hasOrder && random.chance(0.4)) {
    const op = random.pick(rangeOps);
    const bounds = [boundFor(random, fieldName), boundFor(random, fieldName)] as const;
    const [low, high] = bounds[0].at <= bounds[1].at ? bounds : [bounds[1], bounds[0]];
    return {
      op,
      content: { fieldName, value: op === 'between' ? [low.value, high.value] : bounds[0].value },
    };
  }
  const op = random.pick(listOps);
  const value = Array.from({ length: 1 + random.below(3) }, () => valueFor(random, fieldName, op === 'is'));
  return { op, content: { fieldName, value } };
};

type Value = string | number;

const numbersOf: Readonly<{ [field: string]: readonly (bigint | number)[] }> = {
  n: [...wholes, 0.5],
  x: [...wholes, ...fractions],
  u: unsigned,
};

/** A bound, and a number in the order of bounds. */
const boundFor = (
  random: Random,
  fieldName: string,
): { readonly value: Value; readonly at: bigint | number } => {
  if (fieldName === 'ip') {
    const address = random.pick(addresses);
    return { value: random.pick(address.spellings), at: address.at };
  }
  if (fieldName === 'v') {
    const value = random.pick(versions);
    return { value, at: versions.indexOf(value) };
  }
  if (fieldName === 'day') {
    const value = dayForm(random, random.pick(days));
    return { value, at: new Date(value).getTime() };
  }
  const number = random.pick(numbersOf[fieldName]!);
  return { value: numberForm(random, number), at: number };
};

const numberForm = (random: Random, number: bigint | number): Value =>
  random.chance(0.5) || !Number.isSafeInteger(Number(number)) ? String(number) : Number(number);

const dayForm = (random: Random, ms: number): Value => {
  const iso = new Date(ms).toISOString();
  return random.pick<Value>([ms, iso, iso.slice(0, 10)]);
};

const valueFor = (random: Random, fieldName: string, isLiteral: boolean): Value => {
  if (!isLiteral && random.chance(0.1)) return '__missing__';
  switch (fieldName) {
    case 'ip':
      return random.chance(0.3) ? random.pick(blocks).text : random.pick(random.pick(addresses).spellings);
    case 'v':
      return random.pick(versions);
    case 'day':
      return dayForm(random, random.pick(days));
    case 'n':
    case 'x':
    case 'u':
      return numberForm(random, random.pick(numbersOf[fieldName]!));
    case 'code':
      // a saved set cannot be meant here, and a pattern that is a marker neither
      return random.pick(isLiteral ? codes : codes.filter((code) => !code.startsWith('set_id:')));
    default:
      return random.pick([...colors, 'r*']);
  }
};
