/** What a record holds; a field that its node does not have is empty. */
export interface Record {
  readonly id: string;
  readonly node: string;
  readonly code: readonly string[];
  readonly n: readonly bigint[];
  /** Whole where the node's type is. */
  readonly x: readonly (bigint | number)[];
  readonly u: readonly bigint[];
  /** Milliseconds since 1970. */
  readonly day: readonly number[];
  readonly ip: readonly Address[];
  readonly v: readonly string[];
  /** By key. */
  readonly tags: Readonly<{ [key: string]: readonly string[] }>;
}

interface Address {
  readonly shown: string;
  readonly at: bigint;
  readonly spellings: readonly string[];
}

export const addresses: readonly Address[] = [
  { shown: '10.0.0.1', at: 0xffff0a000001n, spellings: ['10.0.0.1', '::ffff:10.0.0.1'] },
  { shown: '10.0.1.0', at: 0xffff0a000100n, spellings: ['10.0.1.0', '::FFFF:a00:100'] },
  { shown: '::1', at: 1n, spellings: ['::1', '0:0:0:0:0:0:0:1'] },
  {
    shown: '2001:db8::1',
    at: 0x20010db8000000000000000000000001n,
    spellings: ['2001:db8::1', '2001:0DB8::0001'],
  },
  { shown: '2001:db8::ff', at: 0x20010db80000000000000000000000ffn, spellings: ['2001:db8:0::ff'] },
];

interface Block {
  readonly text: string;
  readonly from: bigint;
  readonly to: bigint;
}

export const blocks: readonly Block[] = [
  { text: '10.0.0.0/24', from: 0xffff0a000000n, to: 0xffff0a0000ffn },
  { text: '0.0.0.0/0', from: 0xffff00000000n, to: 0xffffffffffffn },
  {
    text: '2001:db8::/120',
    from: 0x20010db8000000000000000000000000n,
    to: 0x20010db80000000000000000000000ffn,
  },
];

/** In their order. */
export const versions = [
  '1.2.9',
  '1.2.10-alpha',
  '1.2.10-alpha.2',
  '1.2.10-alpha.11',
  '1.2.10',
  '2',
  'unreleased',
];

export interface Leaf {
  readonly op: string;
  readonly content: { readonly fieldName: string; readonly value: unknown };
}

export type Condition = Leaf | { readonly op: 'and' | 'or' | 'not'; readonly content: readonly Condition[] };

interface Node {
  readonly nodeId: string;
  readonly lacks: readonly string[];
}

/** Whether a record satisfies a filter. @param isNegated whether an odd number of `not` surrounds it */
export const holds = (
  condition: Condition,
  record: Record,
  nodes: readonly Node[],
  isNegated = false,
): boolean => {
  if (!Array.isArray(condition.content)) return leafHolds(condition as Leaf, record, nodes, isNegated);
  const parts = condition.content as readonly Condition[];
  const of = (part: Condition): boolean => holds(part, record, nodes, isNegated !== (condition.op === 'not'));
  if (condition.op === 'and') return parts.every(of);
  return condition.op === 'or' ? parts.some(of) : !parts.some(of);
};

const leafHolds = (
  { op, content }: Leaf,
  record: Record,
  nodes: readonly Node[],
  isNegated: boolean,
): boolean => {
  const { fieldName } = content;
  const wanted = [content.value].flat() as readonly (string | number)[];
  const hasMarker = op !== 'is' && wanted.includes('__missing__');
  const { lacks } = nodes.find(({ nodeId }) => nodeId === record.node)!;
  // nobody knows what a record without the field would hold
  if (lacks.includes(fieldName.split('.')[0]!)) return hasMarker ? isNegated : op === 'not-in';
  const held = fieldTypes.valuesOf(record, fieldName);
  const has = (value: string | number): boolean =>
    value === '__missing__' && op !== 'is'
      ? held.length === 0
      : held.some((one) => equals(one, value, fieldName, op === 'is'));
  switch (op) {
    case 'in':
    case 'is':
      return wanted.some(has);
    case 'not-in':
      return !wanted.some(has);
    case 'all':
      return wanted.every(has);
    default:
      return held.some((one) => isWithin(one, op, wanted, fieldName));
  }
};

type Held = string | bigint | number | Address;

const equals = (held: Held, wanted: string | number, fieldName: string, isLiteral: boolean): boolean => {
  if (fieldName === 'ip') {
    const { at } = held as Address;
    const block = blocks.find(({ text }) => text === wanted);
    return block === undefined ? at === addressAt(wanted) : at >= block.from && at <= block.to;
  }
  if (fieldName === 'day') {
    const [from, to] = periodOf(wanted);
    return (held as number) >= from && (held as number) <= to;
  }
  if (typeof held === 'bigint') return compared(held, wanted) === 0;
  if (typeof held === 'number') return held === Number(wanted);
  const text = String(wanted);
  if (isLiteral || !text.endsWith('*')) return held === text;
  const part = text.slice(0, -1);
  return part.startsWith('*') ? (held as string).includes(part.slice(1)) : (held as string).startsWith(part);
};

const addressAt = (text: string | number): bigint =>
  addresses.find(({ spellings }) => spellings.includes(String(text)))!.at;

/** A whole number against one that may have a fraction. */
const compared = (held: bigint, wanted: string | number): number => {
  const other = /^-?\d+$/.test(String(wanted)) ? BigInt(wanted) : Number(wanted);
  return held < other ? -1 : held > other ? 1 : 0;
};

/** The first and the last millisecond that a date stands for. */
const periodOf = (wanted: string | number): readonly [number, number] => {
  if (typeof wanted === 'number') return [wanted, wanted];
  const from = Date.parse(wanted);
  return [from, wanted.length === 10 ? from + 86_399_999 : from];
};

const orderOf = (held: Held, wanted: string | number, fieldName: string, end: 0 | 1): number => {
  const sign = (left: bigint | number, right: bigint | number): number =>
    left < right ? -1 : left > right ? 1 : 0;
  if (fieldName === 'ip') return sign((held as Address).at, addressAt(wanted));
  if (fieldName === 'v') return sign(versions.indexOf(held as string), versions.indexOf(String(wanted)));
  if (fieldName === 'day') return sign(held as number, periodOf(wanted)[end]);
  return typeof held === 'bigint' ? compared(held, wanted) : sign(held as number, Number(wanted));
};

const isWithin = (
  held: Held,
  op: string,
  [first, last]: readonly (string | number)[],
  fieldName: string,
): boolean => {
  switch (op) {
    case 'gt':
      return orderOf(held, first!, fieldName, 1) > 0;
    case 'gte':
      return orderOf(held, first!, fieldName, 0) >= 0;
    case 'lt':
      return orderOf(held, first!, fieldName, 0) < 0;
    case 'lte':
      return orderOf(held, first!, fieldName, 1) <= 0;
    default:
      return orderOf(held, first!, fieldName, 0) >= 0 && orderOf(held, last!, fieldName, 1) <= 0;
  }
};

const keyOf = (held: Held): string => (typeof held === 'object' ? held.shown : String(held));

export const fieldTypes = {
  valuesOf: (record: Record, fieldName: string): readonly Held[] => {
    if (fieldName === 'tags') return Object.values(record.tags).flat();
    if (fieldName.startsWith('tags.')) return record.tags[fieldName.slice('tags.'.length)] ?? [];
    return record[fieldName as Exclude<keyof Record, 'id' | 'node' | 'tags'>];
  },
  /** The keys of its buckets. */
  keysOf: (record: Record, fieldName: string): readonly string[] =>
    fieldTypes.valuesOf(record, fieldName).map(keyOf),
};

/** A number as JSON has it. */
export const shownNumber = (value: bigint | number): unknown =>
  typeof value === 'number' || (value <= 2n ** 53n && value >= -(2n ** 53n)) ? Number(value) : String(value);

/** The fields of a hit: lists, null for none. */
export const printedOf = (record: Record, fields: readonly string[]): object =>
  Object.fromEntries(
    fields.map((field) => {
      const held = fieldTypes.valuesOf(record, field);
      if (held.length === 0) return [field, null];
      return [
        field,
        held.map((one, at) =>
          typeof one === 'object'
            ? one.spellings[at % one.spellings.length]
            : typeof one === 'string'
              ? one
              : shownNumber(one),
        ),
      ];
    }),
  );

/** Records in the order of a field's least or greatest values, those without one first or last, ties by id. */
export const sortedBy = (
  records: readonly Record[],
  field: string,
  order: 'asc' | 'desc',
): readonly Record[] => {
  const rank = (left: Held, right: Held): number => {
    if (typeof left === 'object' && typeof right === 'object')
      return left.at < right.at ? -1 : Number(left.at > right.at);
    if (field === 'v') return versions.indexOf(left as string) - versions.indexOf(right as string);
    if (typeof left === 'string') return Buffer.compare(Buffer.from(left), Buffer.from(right as string));
    return left < right ? -1 : Number(left > right);
  };
  const best = (record: Record): Held | undefined =>
    field === 'id'
      ? record.id
      : fieldTypes
          .valuesOf(record, field)
          .toSorted(rank)
          .at(order === 'asc' ? 0 : -1);
  const byId = (left: Record, right: Record): number => (left.id < right.id ? -1 : 1);
  return records.toSorted((left, right) => {
    const [one, other] = [best(left), best(right)];
    if (one === undefined || other === undefined)
      return one === other ? byId(left, right) : (one === undefined) === (order === 'asc') ? -1 : 1;
    const sign = order === 'asc' ? 1 : -1;
    return sign * rank(one, other) || byId(left, right);
  });
};
