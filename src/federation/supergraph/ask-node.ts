import type { DocumentNode, FieldNode } from 'graphql';
import { GraphQLError } from 'graphql';
import { TributaryError, asTributaryError } from '../../errors/errors.ts';
import { isJsonObject } from '../../json/json.ts';
import { assertNoErrors } from '../remote/answer-errors.ts';
import type { GraphqlAnswer, GraphqlAnswerError } from '../remote/graphql-over-http.ts';
import type { RequestPart } from './split-request.ts';
import { responseName, rootFields, splitRequest } from './split-request.ts';

/** The supergraph's request to one node. */
export interface NodeRequest {
  readonly document: DocumentNode;
  readonly variables: Readonly<Record<string, unknown>>;
  /** The name of its query type. */
  readonly root: string;
  /** The maximum number of aliases it accepts in a document. */
  readonly maxAliases: number;
}

export interface NodeAnswer {
  readonly data: Readonly<Record<string, unknown>>;
  readonly errors: readonly GraphQLError[];
}

/**
 * Sends a request to a node and combines the result into one answer: split into concurrent parts if it has more aliases
 * than the node accepts, since stitching aliases each root field. A failure affects only its own root fields, with an
 * error in our own wording.
 * @param send sends one part; whatever it throws becomes errors
 */
export const askNode = async (
  { document, variables, root, maxAliases }: NodeRequest,
  send: (part: RequestPart) => Promise<GraphqlAnswer>,
): Promise<NodeAnswer> => {
  const fields = rootFields(document);
  const asked = fields.filter((field) => !isTypeName(field));
  const parts = splitRequest(document, variables, asked, maxAliases);
  const answers = await Promise.all(parts.map((part) => answerTo(part, send)));
  // known without a request
  const typeNames = fields.filter(isTypeName).map((field) => [responseName(field), root] as const);
  return {
    data: Object.assign(
      Object.fromEntries(typeNames),
      ...answers.map(({ data }) => data),
    ) as NodeAnswer['data'],
    errors: answers.flatMap(({ errors }) => errors),
  };
};

const isTypeName = ({ name }: FieldNode): boolean => name.value === '__typename';

const answerTo = async (
  part: RequestPart,
  send: (part: RequestPart) => Promise<GraphqlAnswer>,
): Promise<NodeAnswer> => {
  const names = part.fields.map(responseName);
  try {
    const { data, errors = [] } = await send(part);
    const values = isJsonObject(data) ? data : {};
    if (errors.length === 0 && names.some((name) => values[name] === undefined)) throw notAnswered();
    return {
      data: Object.fromEntries(names.map((name) => [name, values[name] ?? null])),
      errors: errors.map((error) => safeError(error, names)),
    };
  } catch (error) {
    return {
      data: Object.fromEntries(names.map((name) => [name, null])),
      errors: names.map((name) => errorAt([name], error)),
    };
  }
};

const notAnswered = (): TributaryError =>
  new TributaryError('NODE_BAD_RESPONSE', 'the answer lacks requested fields');

/** A node's error in our own wording. A path that is not in this part of the request is dropped. */
const safeError = (error: GraphqlAnswerError, names: readonly string[]): GraphQLError => {
  // errors thrown by resolvers of this process are already safe, and are presented as everywhere else
  if (error instanceof GraphQLError && error.originalError instanceof Error) return error;
  const path = isPath(error.path) && names.includes(String(error.path[0])) ? error.path : [names[0]!];
  try {
    assertNoErrors({ errors: [error] });
  } catch (safe) {
    return errorAt(path, safe);
  }
  throw new TypeError('a GraphQL error was not recognised as one');
};

const isPath = (path: unknown): path is (string | number)[] =>
  Array.isArray(path) &&
  path.length <= 100 &&
  path.every((step) => typeof step === 'string' || typeof step === 'number');

const errorAt = (path: readonly (string | number)[], error: unknown): GraphQLError => {
  const originalError = asTributaryError(error);
  return new GraphQLError(originalError.message, { path, originalError });
};
