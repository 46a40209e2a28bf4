import { fitsStars } from '../../sqon/evaluate-sqon.ts';
import { nestedAround, types } from './consortium.ts';
import type { Institution, Item } from './consortium.ts';
import type { JsonObject } from '../../../src/lib/json/json.ts';

// What a network must answer, read off the records: no algebra, no index, no merging.

/** A filter as a client writes it, with canonical operators. */
export interface FilterJson {
  readonly op: string;
  readonly content:
    | readonly FilterJson[]
    | { readonly fieldName?: string; readonly fieldNames?: readonly string[]; readonly value: unknown };
  readonly pivot?: string;
}

/** An object under judgement and those around it, the record first. */
type Chain = readonly { readonly path: string; readonly object: JsonObject }[];
type Value = string | number | bigint | boolean;
type Has = (path: string) => boolean;

const recordChain = ({ id, shown }: Item): Chain => [{ path: '', object: { ...shown, _id: [id] } }];

const hasOf =
  ({ own }: Institution): Has =>
  (path) =>
    path === '_id' || own.has(path);

/** The chains that end at the last of these nested paths: the chain's own object where it has one, all below else. */
const descend = (chain: Chain, around: readonly string[]): readonly Chain[] => {
  let shared = 0;
  while (shared < around.length && chain[shared + 1]?.path === around[shared]) shared += 1;
  return around.slice(shared).reduce<readonly Chain[]>(
    (chains, path) =>
      chains.flatMap((at) => {
        const inside = at.at(-1)!.object[path.slice(path.lastIndexOf('.') + 1)] ?? [];
        return (inside as readonly JsonObject[]).map((object) => [...at, { path, object }]);
      }),
    [chain.slice(0, shared + 1)],
  );
};

const valuesOf = (path: string, chain: Chain): readonly Value[] => {
  const values = (chain.at(-1)!.object[path.slice(path.lastIndexOf('.') + 1)] ?? []) as readonly (
    | string
    | number
    | boolean
  )[];
  switch (types[path]) {
    case 'long':
    case 'integer':
      return values.map((value) => (typeof value === 'string' ? BigInt(value) : (value as number)));
    case 'date':
      return values.map((value) => (typeof value === 'string' ? Date.parse(value) : (value as number)));
    default:
      return values;
  }
};

const isNegative = (op: string): boolean => op === 'not-in' || op === 'some-not-in';

const holds = (requested: FilterJson, chain: Chain, has: Has, isNegated = false): boolean => {
  if (Array.isArray(requested.content))
    return groupHolds(requested, requested.content as readonly FilterJson[], chain, has, isNegated);
  const { fieldName, fieldNames, value } = requested.content as {
    fieldName?: string;
    fieldNames?: readonly string[];
    value: unknown;
  };
  if (fieldNames !== undefined)
    return fieldNames.some((name) => has(name) && leafHolds('wildcard', name, [value], chain));
  const values = [value].flat();
  if (!has(fieldName!)) return lackedHolds(requested.op, values, isNegated);
  return leafHolds(requested.op, fieldName!, values, chain);
};

/** Whether a value is missing is unknown where the field is, so neither is found. */
const lackedHolds = (op: string, values: readonly unknown[], isNegated: boolean): boolean =>
  op !== 'is' && values.includes('__missing__') ? isNegated : isNegative(op);

const groupHolds = (
  { op, pivot }: FilterJson,
  content: readonly FilterJson[],
  chain: Chain,
  has: Has,
  isNegated: boolean,
): boolean => {
  const inside = isNegated !== (op === 'not');
  if (content.length === 0) return true;
  if (pivot === undefined) {
    const held = content.map((one) => holds(one, chain, has, inside));
    if (op === 'and') return held.every(Boolean);
    return op === 'or' ? held.some(Boolean) : !held.some(Boolean);
  }
  if (!has(pivot)) return isFalse(op, content, has, inside) && op === 'not';
  const objects = descend(chain, [...nestedAround(pivot), pivot]);
  if (op === 'or') return objects.some((at) => content.some((one) => holds(one, at, has, inside)));
  const together = objects.some((at) => content.every((one) => holds(one, at, has, inside)));
  return op === 'and' ? together : !together;
};

/** Whether a condition can hold of nothing because the node lacks its field. */
const isFalse = (op: string, content: readonly FilterJson[], has: Has, isNegated: boolean): boolean => {
  const never = content.map((one) => isConstant(one, has, isNegated) === false);
  return op === 'or' ? never.every(Boolean) : never.some(Boolean);
};

const isConstant = (requested: FilterJson, has: Has, isNegated: boolean): boolean | null => {
  if (Array.isArray(requested.content)) {
    const content = requested.content as readonly FilterJson[];
    if (content.length === 0) return true;
    const parts = content.map((one) => isConstant(one, has, isNegated !== (requested.op === 'not')));
    if (requested.pivot !== undefined) {
      const never = requested.op === 'or' ? parts.every((one) => one === false) : parts.includes(false);
      if (never) return requested.op === 'not';
      return has(requested.pivot) ? null : false;
    }
    const decisive = requested.op === 'and' ? false : true;
    if (parts.includes(decisive)) return requested.op === 'or';
    return parts.every((one) => one === !decisive) ? requested.op !== 'or' : null;
  }
  const { fieldName, fieldNames, value } = requested.content as {
    fieldName?: string;
    fieldNames?: readonly string[];
    value: unknown;
  };
  if (fieldNames !== undefined)
    return fieldNames.length > 0 && fieldNames.every((name) => !has(name)) ? false : null;
  return has(fieldName!) ? null : lackedHolds(requested.op, [value].flat(), isNegated);
};

const leafHolds = (op: string, path: string, wanted: readonly unknown[], chain: Chain): boolean => {
  const objects = descend(chain, nestedAround(path));
  if (types[path] === 'nested') {
    const some = descend(chain, [...nestedAround(path), path]).length > 0;
    if (!wanted.includes('__missing__') || op === 'wildcard' || op === 'is') return isNegative(op);
    if (op === 'all' && new Set(wanted).size > 1) return false;
    return isNegative(op) ? some : !some;
  }
  const hasOne =
    (one: unknown) =>
    (object: Chain): boolean => {
      const values = valuesOf(path, object);
      if (op === 'is' && !isOrdered(path)) return values.some((value) => String(value) === String(one));
      if (one === '__missing__') return values.length === 0;
      return values.some((value) => equals(path, value, one));
    };
  const hasAny = (object: Chain): boolean => wanted.some((one) => hasOne(one)(object));
  const inRange = (test: (value: number | bigint) => boolean): boolean =>
    objects.some((object) => (valuesOf(path, object) as (number | bigint)[]).some(test));
  const ends = wanted.map((one) => boundsOf(path, one));
  const [lows, highs] = [ends.map(([low]) => low), ends.map(([, high]) => high)];
  switch (op) {
    case 'wildcard':
      return (
        !isOrdered(path) &&
        objects.some((object) =>
          valuesOf(path, object).some((value) => matches(String(value), String(wanted[0]), true)),
        )
      );
    case 'in':
    case 'is':
      return objects.some(hasAny);
    case 'not-in':
      return objects.some((object) => !hasAny(object));
    case 'some-not-in': {
      const others = wanted.filter((one) => one !== '__missing__');
      const none = !objects.some((object) => others.some((one) => hasOne(one)(object)));
      return (
        none &&
        (others.length === wanted.length || objects.some((object) => valuesOf(path, object).length > 0))
      );
    }
    case 'all':
      return wanted.length > 0 && wanted.every((one) => objects.some(hasOne(one)));
    case 'gt':
      return inRange((value) => highs.every((end) => value > near(value, end)));
    case 'gte':
      return inRange((value) => lows.every((end) => value >= near(value, end)));
    case 'lt':
      return inRange((value) => lows.every((end) => value < near(value, end)));
    case 'lte':
      return inRange((value) => highs.every((end) => value <= near(value, end)));
    default:
      return inRange(
        (value) =>
          lows.some((end) => value >= near(value, end)) && highs.some((end) => value <= near(value, end)),
      );
  }
};

/** An end as a field of doubles takes it. */
const near = (value: number | bigint, end: number | bigint): number | bigint =>
  typeof value === 'number' ? Number(end) : end;

const isOrdered = (path: string): boolean => ['long', 'integer', 'double', 'date'].includes(types[path]!);

/** What a wanted value covers: of a date given to the day all of it. */
const boundsOf = (path: string, wanted: unknown): readonly [number | bigint, number | bigint] => {
  if (types[path] === 'date' && typeof wanted === 'string') {
    const from = Date.parse(wanted);
    return [from, wanted.length === 10 ? from + 86_399_999 : from];
  }
  const number = typeof wanted === 'string' && /^-?\d{16,}$/.test(wanted) ? BigInt(wanted) : Number(wanted);
  return [number, number];
};

const equals = (path: string, value: Value, wanted: unknown): boolean => {
  switch (types[path]) {
    case 'date': {
      const [low, high] = boundsOf(path, wanted);
      return Number(value) >= low && Number(value) <= high;
    }
    case 'long':
    case 'integer':
    case 'double':
      return value == near(value as number, boundsOf(path, wanted)[0]);
    default: {
      const text = String(wanted);
      return text.endsWith('*') ? fitsStars(text, String(value)) : String(value) === text;
    }
  }
};

const matches = (value: string, pattern: string, isWildcard: boolean): boolean => {
  const fold = (text: string): string =>
    isWildcard ? text.replace(/[A-Z]/g, (letter) => letter.toLowerCase()) : text;
  const source = [...fold(pattern)].map((char) =>
    char === '*' ? '.*' : char === '?' && isWildcard ? '.' : `\\u{${char.codePointAt(0)!.toString(16)}}`,
  );
  return new RegExp(`^${source.join('')}$`, 'su').test(fold(value));
};

// ---- facets

/** The filter without a facet's own selections; null when nothing is left. */
const withoutOwn = (requested: FilterJson, path: string): FilterJson | null => {
  if (Array.isArray(requested.content)) {
    const before = requested.content as readonly FilterJson[];
    const content = before.map((one) => withoutOwn(one, path)).filter((one) => one !== null);
    return before.length > 0 && content.length === 0 ? null : { ...requested, content };
  }
  const { fieldName, value } = requested.content as {
    fieldName?: string;
    value: unknown;
  };
  const isSearch =
    requested.op === 'wildcard' ||
    (requested.op !== 'is' && [value].flat().some((one) => String(one).endsWith('*')));
  return fieldName === path && !isSearch ? null : requested;
};

const conjuncts = (requested: FilterJson | null): readonly FilterJson[] =>
  requested === null
    ? []
    : requested.op === 'and'
      ? (requested.content as readonly FilterJson[]).flatMap(conjuncts)
      : [requested];

const conditionsIn = (requested: FilterJson | null): readonly FilterJson[] => {
  if (requested === null) return [];
  if (requested.pivot !== undefined) return [requested];
  if (requested.op === 'and') return (requested.content as readonly FilterJson[]).flatMap(conditionsIn);
  return [requested.op === 'all' ? { ...requested, op: 'in' } : requested];
};

const leafNames = (requested: FilterJson): readonly string[] => {
  if (Array.isArray(requested.content))
    return (requested.content as readonly FilterJson[]).flatMap(leafNames);
  const { fieldName, fieldNames } = requested.content as {
    fieldName?: string;
    fieldNames?: readonly string[];
  };
  return fieldNames ?? [fieldName!];
};

/** A condition as one object must satisfy it: pivots at it and above mean that same object. */
const ofObject = (requested: FilterJson, around: readonly string[]): FilterJson => {
  const { op, content, pivot } = requested;
  if (!Array.isArray(content) || (pivot !== undefined && !around.includes(pivot))) return requested;
  const inside = (content as readonly FilterJson[]).map((one) => ofObject(one, around));
  return {
    op,
    content: op === 'not' && pivot !== undefined ? [{ op: 'and', content: inside }] : inside,
  };
};

/** The objects of one record that a facet looks at; none when the record is not found. */
const lookedAt = (record: Item, path: string, filter: FilterJson | null, has: Has): readonly Chain[] => {
  const chain = recordChain(record);
  if (filter !== null && !holds(filter, chain, has)) return [];
  const around = nestedAround(path);
  // what a pivot holds together is one condition, of which an object meets all; of several conditions it meets any
  const conditions = conditionsIn(filter).map((condition) =>
    conjuncts(condition).flatMap((requested) => {
      const innermost = new Set(
        leafNames(requested).map((name) => (has(name) ? (nestedAround(name).at(-1) ?? '') : '')),
      );
      const [one] = innermost;
      if (innermost.size !== 1 || one === '' || one === undefined) return [];
      if (around.includes(one)) return [{ at: one, requested }];
      const own = around.at(-1);
      return own !== undefined && nestedAround(one).includes(own) ? [{ at: own, requested }] : [];
    }),
  );
  return around.reduce<readonly Chain[]>(
    (chains, nested) =>
      chains
        .flatMap((one) => descend(one, [...nestedAround(nested), nested]))
        .filter((one) => {
          const here = conditions
            .map((parts) => parts.filter(({ at }) => at === nested))
            .filter((parts) => parts.length > 0);
          return (
            here.length === 0 ||
            here.some((parts) =>
              parts.every(({ at, requested }) =>
                holds(ofObject(requested, [...nestedAround(at), at]), one, has),
              ),
            )
          );
        }),
    [chain],
  );
};

/** What the institutions that have a field hold of it, record by record. */
export interface Facet {
  readonly counts: ReadonlyMap<string, number>;
  readonly missing: number;
  readonly values: readonly Value[];
  /** How many objects have a value within. */
  readonly objects: readonly (readonly Value[])[];
}

export const facetOf = (
  institutions: readonly Institution[],
  path: string,
  filter: FilterJson | null,
  themselves: boolean,
): Facet => {
  const counts = new Map<string, number>();
  const objects: (readonly Value[])[] = [];
  let missing = 0;
  for (const institution of institutions.filter(({ own }) => own.has(path))) {
    const has = hasOf(institution);
    const selected = filter === null || themselves ? filter : withoutOwn(filter, path);
    for (const record of institution.records) {
      const held = lookedAt(record, path, selected, has).map((chain) => valuesOf(path, chain));
      objects.push(...held);
      if (held.some((values) => values.length === 0)) missing += 1;
      for (const key of new Set(held.flat().map(keyOf))) counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  return { counts, missing, values: objects.flat(), objects };
};

const keyOf = (value: Value): string => (typeof value === 'boolean' ? (value ? '1' : '0') : String(value));

// ---- hits

export interface SortKey {
  readonly fieldName: string;
  readonly order: 'asc' | 'desc';
  readonly missing?: 'first' | 'last';
  readonly mode?: 'min' | 'max' | 'avg' | 'sum';
}

/** The ids of all hits in their order: equal ones by node, then as the node got them. */
export const hitsOf = (
  institutions: readonly Institution[],
  filter: FilterJson | null,
  sort: readonly SortKey[],
): readonly string[] => {
  const rows = [...institutions]
    .sort((a, b) => compareText(a.nodeId, b.nodeId))
    .flatMap((institution) => {
      const has = hasOf(institution);
      return institution.records
        .filter((record) => filter === null || holds(filter, recordChain(record), has))
        .map((record) => ({ id: record.id, values: sort.map((key) => sortValue(record, key, institution)) }));
    });
  return rows.sort((a, b) => compareRows(a.values, b.values, sort)).map(({ id }) => id);
};

const sortValue = (record: Item, key: SortKey, institution: Institution): Value | undefined => {
  if (!hasOf(institution)(key.fieldName)) return undefined;
  const all = descend(recordChain(record), nestedAround(key.fieldName)).flatMap((chain) =>
    valuesOf(key.fieldName, chain),
  );
  if (key.mode === 'avg' || key.mode === 'sum')
    return all.length === 0
      ? undefined
      : combined(all.map(Number), key.mode, institution.types[key.fieldName] !== 'double');
  const wanted = (key.mode ?? (key.order === 'asc' ? 'min' : 'max')) === 'min' ? -1 : 1;
  return all.reduce<Value | undefined>(
    (best, value) => (best === undefined || compareValues(value, best) === wanted ? value : best),
    undefined,
  );
};

/** Averages of whole numbers and dates are whole, halves rounded up. */
const combined = (values: readonly number[], mode: 'avg' | 'sum', isWhole: boolean): number => {
  const sum = values.reduce((total, value) => total + value, 0);
  if (mode === 'sum') return sum;
  return isWhole ? Math.round(sum / values.length) : sum / values.length;
};

const compareRows = (
  a: readonly (Value | undefined)[],
  b: readonly (Value | undefined)[],
  sort: readonly SortKey[],
): number => {
  for (const [at, { order, missing = order === 'asc' ? 'first' : 'last' }] of sort.entries()) {
    const [one, other] = [a[at], b[at]];
    if (one === undefined && other === undefined) continue;
    if (one === undefined || other === undefined)
      return (one === undefined) === (missing === 'first') ? -1 : 1;
    const compared = compareValues(one, other);
    if (compared !== 0) return order === 'asc' ? compared : -compared;
  }
  return 0;
};

const compareValues = (a: Value, b: Value): number =>
  typeof a === 'string' ? compareText(a, b as string) : a < b ? -1 : a > b ? 1 : 0;

const compareText = (a: string, b: string): number =>
  Math.sign(Buffer.compare(Buffer.from(a), Buffer.from(b)));
