import {
  GraphQLError,
  TypeInfo,
  ValidationContext,
  visitInParallel,
  visitWithTypeInfo,
  type ASTNode,
  type DocumentNode,
  type GraphQLSchema,
  type ValidationRule,
} from 'graphql';
import { sliceMs, yieldToEventLoop } from '../../concurrency/yield-to-event-loop.ts';

/** As many as graphql's own validate reports. */
const maxErrors = 100;
/** The clock is checked after this many nodes. */
const nodesToLook = 64;

/**
 * Like graphql's validate, for documents that would block the event loop: it yields to other requests in between.
 * @returns the errors, none when the document is valid
 */
export const validateInSlices = async (
  schema: GraphQLSchema,
  document: DocumentNode,
  rules: readonly ValidationRule[],
): Promise<readonly GraphQLError[]> => {
  const errors: GraphQLError[] = [];
  const report = (error: GraphQLError): void => {
    if (errors.length >= maxErrors) throw tooManyErrors();
    errors.push(error);
  };
  const types = new TypeInfo(schema);
  const context = new ValidationContext(schema, document, types, report);
  const visitor = visitWithTypeInfo(types, visitInParallel(rules.map((rule) => rule(context))));
  try {
    await visitInSlices(document, visitor as Visitor);
  } catch (error) {
    // rules throw a GraphQLError to abort validation
    if (!(error instanceof GraphQLError)) throw error;
    errors.push(error);
  }
  return errors;
};

const tooManyErrors = (): GraphQLError =>
  new GraphQLError('Too many validation errors, error limit reached. Validation aborted.');

type Visitor = Readonly<Record<Step['kind'], (...args: readonly unknown[]) => unknown>>;

const visitInSlices = async (document: DocumentNode, visitor: Visitor): Promise<void> => {
  let until = performance.now() + sliceMs;
  let seen = 0;
  for (const step of steps(document)) {
    visitor[step.kind](step.node, step.key, step.parent, step.path, step.ancestors);
    if (++seen % nodesToLook !== 0 || performance.now() < until) continue;
    await yieldToEventLoop();
    until = performance.now() + sliceMs;
  }
};

type Parent = ASTNode | readonly ASTNode[];

interface Step {
  readonly kind: 'enter' | 'leave';
  readonly node: ASTNode;
  readonly key: string | number | undefined;
  readonly parent: Parent | undefined;
  readonly path: readonly (string | number)[];
  readonly ancestors: readonly Parent[];
}

/** A node or a list of nodes whose children are being visited. */
interface Open {
  readonly value: Parent;
  readonly key: string | number | undefined;
  readonly keys: readonly (string | number)[];
  next: number;
}

/** The enter and leave calls of graphql's visit, in order, for a read-only visitor; iterative, not recursive. */
function* steps(document: DocumentNode): Generator<Step> {
  const path: (string | number)[] = [];
  const ancestors: Parent[] = [];
  const open: Open[] = [];
  const step = (kind: Step['kind'], node: ASTNode, key: Open['key']): Step => ({
    ...{ kind, node, key, path, ancestors },
    parent: open.at(-1)?.value,
  });
  const enter = (value: Parent, key: Open['key']): void => {
    const around = open.at(-1);
    if (around !== undefined) ancestors.push(around.value);
    open.push({ value, key, keys: isList(value) ? [...value.keys()] : childKeys(value), next: 0 });
  };
  yield step('enter', document, undefined);
  enter(document, undefined);
  for (let last = open.at(-1); last !== undefined; last = open.at(-1)) {
    if (last.next === last.keys.length) {
      open.pop();
      ancestors.pop();
      if (!isList(last.value)) yield step('leave', last.value, last.key);
      path.pop();
      continue;
    }
    const key = last.keys[last.next++]!;
    const value = (last.value as unknown as Record<string | number, Parent>)[key]!;
    path.push(key);
    if (!isList(value)) yield step('enter', value, key);
    enter(value, key);
  }
}

const isList = (value: Parent): value is readonly ASTNode[] => Array.isArray(value);

/** The keys of a node's children, in source order; descriptions are irrelevant to validation. */
const childKeys = (node: ASTNode): readonly string[] => {
  const keys: string[] = [];
  for (const [key, value] of Object.entries(node) as [string, unknown][])
    if (key !== 'loc' && key !== 'description' && isNodeOrNodes(value)) keys.push(key);
  return keys;
};

const isNodeOrNodes = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && (Array.isArray(value) || 'kind' in value);
