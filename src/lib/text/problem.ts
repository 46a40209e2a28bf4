import { z } from 'zod';
import { invalidConfig, TributaryError } from '../errors/errors.ts';
import { closest, hintOf, withoutWrappers } from './unknown-keys.ts';

/** A fault of the configuration. */
export interface Problem {
  /** An error prevents the start, or fails one catalogue; what a warning is about has no effect. */
  readonly severity: 'error' | 'warning';
  /** As it was named; null for variables. */
  readonly file: string | null;
  /** The variable, or the key in the file by its path; empty for the file as a whole. */
  readonly key: string;
  readonly reason: string;
  /** The known name that an unknown one is closest to. */
  readonly near?: string;
}

/** A problem as a sentence. What concerns a file as a whole begins with its name. */
export const problemText = ({ file, key, reason }: Problem): string =>
  [...(file === null ? [] : [key === '' ? file : `${file}:`]), ...(key === '' ? [] : [key]), reason].join(
    ' ',
  );

/** A fault at a key of a file; of the file as a whole without a key. */
export const faultAt = (file: string | null, key: string, reason: string, near?: string): Problem => ({
  severity: 'error',
  ...{ file, key, reason },
  ...(near !== undefined && { near }),
});

/** A notice of what has no effect. */
export const noticeAt = (file: string | null, key: string, reason: string): Problem => ({
  ...faultAt(file, key, reason),
  severity: 'warning',
});

/** The error of a configuration with problems, which `problemsOf` finds again. */
export const problemsError = (problems: readonly Problem[]): TributaryError =>
  invalidConfig([...new Set(problems.map(problemText))].join('; '), { details: { problems } });

/**
 * The problems of an error that reading a configuration has thrown.
 * @throws the error itself if it is of another kind
 */
export const problemsOf = (error: unknown): readonly Problem[] => {
  if (!(error instanceof TributaryError) || error.code !== 'CONFIG_INVALID') throw error;
  const listed = error.details?.['problems'];
  if (!Array.isArray(listed)) return [withoutKey(error.message)];
  return listed.map((one: Problem | string) => (typeof one === 'string' ? withoutKey(one) : one));
};

/** A problem whose sentence names its file and key. */
const withoutKey = (reason: string): Problem => faultAt(null, '', reason);

/**
 * The parts of a configuration that can be read independently.
 * @throws TributaryError CONFIG_INVALID with the problems of all parts
 */
export const readAll = <Parts extends Record<string, unknown>>(readers: {
  readonly [Name in keyof Parts]: () => Parts[Name];
}): Parts => {
  const problems: Problem[] = [];
  const parts = Object.entries(readers).map(([name, read]) => {
    try {
      return [name, read()] as const;
    } catch (error) {
      problems.push(...problemsOf(error));
      return [name, undefined] as const;
    }
  });
  if (problems.length > 0) throw problemsError(problems);
  return Object.fromEntries(parts) as Parts;
};

/**
 * The issues of a file that its schema refuses.
 * @param keyOf writes a path as people read it
 */
export const schemaProblems = (
  schema: z.ZodType,
  issues: readonly z.core.$ZodIssue[],
  content: unknown,
  file: string | null,
  keyOf: (path: readonly PropertyKey[]) => string = dottedKey,
): readonly Problem[] =>
  issues.flatMap((issue): readonly Problem[] => {
    if (issue.code !== 'unrecognized_keys') {
      const reason = reasonOf(issue, content);
      return [faultAt(file, keyOf(issue.path), reason)];
    }
    const known = knownAt(schema, issue.path);
    return issue.keys.map((name) => {
      const near = closest(name, known);
      const reason = `is unknown: ${hintOf(near, known)}`;
      return faultAt(file, keyOf([...issue.path, name]), reason, near?.isSlip ? near.name : undefined);
    });
  });

const dottedKey = (path: readonly PropertyKey[]): string => path.map(String).join('.');

/** Why a schema refuses what is at a key, as the rest of a sentence that begins with the key. */
export const reasonOf = (issue: z.core.$ZodIssue, content: unknown): string => {
  const found = issue.path.reduce<unknown>(
    (at, key) => (at as Record<PropertyKey, unknown> | null | undefined)?.[key],
    content,
  );
  const isGeneral = issue.message === 'Invalid input';
  if (isGeneral && found !== undefined) return 'has another form than docs/configuration.md says';
  if (isGeneral) return 'is missing';
  const reason = describeIssue(issue, content);
  if (issue.code !== 'invalid_type') return lowerFirst(reason);
  return found === undefined ? `is missing: ${reason.replace(/,.*/, '')}` : `is wrong: ${reason}`;
};

/**
 * Describes what is wrong with a value of a configuration file, without the value itself: the reason why a catalogue
 * failed is public.
 * @param value the validated content, the root of the issue's path
 */
export const describeIssue = (issue: z.core.$ZodIssue, value: unknown): string => {
  if (issue.code !== 'invalid_type') return issue.message;
  const expected = kinds[issue.expected] ?? issue.expected;
  const found = issue.path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown>)[key], value);
  return `${expected} expected, ${found === undefined ? 'and the key is missing' : `found ${kindOf(found)}`}`;
};

const kinds: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

const kindOf = (value: unknown): string => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'boolean' ? String(value) : (kinds[typeof value] ?? typeof value);
};

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

/** The keys that a schema knows in the object at a path. */
const knownAt = (schema: z.ZodType, path: readonly PropertyKey[]): readonly string[] => {
  const at = path.reduce<readonly z.ZodType[]>(
    (within, key) => within.flatMap((one) => below(one, key)),
    [schema],
  );
  return at.flatMap(objectsIn).flatMap(({ shape }) => Object.keys(shape));
};

const below = (schema: z.ZodType, key: PropertyKey): readonly z.ZodType[] => {
  const bare = withoutWrappers(schema);
  if (bare instanceof z.ZodArray) return [bare.element as z.ZodType];
  if (bare instanceof z.ZodRecord) return [bare.valueType as z.ZodType];
  return objectsIn(bare).flatMap(({ shape }) => (shape[String(key)] as z.ZodType | undefined) ?? []);
};

/** The object that a schema is, or those that it may be. */
const objectsIn = (schema: z.ZodType): readonly z.ZodObject[] => {
  const bare = withoutWrappers(schema);
  if (bare instanceof z.ZodUnion) return bare.options.flatMap((one) => objectsIn(one as z.ZodType));
  return bare instanceof z.ZodObject ? [bare] : [];
};
