import type { DocumentNode, FieldNode } from 'graphql';
import { GraphQLError } from 'graphql';
import { TributaryError, asTributaryError } from '../../errors.ts';
import { isJsonObject } from '../../json.ts';
import { assertNoErrors } from '../remote/read-answer.ts';
import type { GraphqlAnswer, GraphqlAnswerError } from '../remote/transport.ts';
import type { RequestPart } from './split-request.ts';
import { responseName, rootFields, splitRequest } from './split-request.ts';

/** What one node is asked by the supergraph. */
export interface NodeRequest {
  readonly document: DocumentNode;
  readonly variables: Readonly<Record<string, unknown>>;
  /** The name of its query type. */
  readonly root: string;
  /** The most aliases that it takes in a document. */
  readonly maxAliases: number;
}

export interface NodeAnswer {
  readonly data: Readonly<Record<string, unknown>>;
  readonly errors: readonly GraphQLError[];
}

/**
 * Sends a request to a node and gives one answer: in several parts, all at once, where it has more aliases than the node
 * takes, for stitching gives each root field one. What fails costs its own root fields, and says so in words of ours.
 * @param send a part; whatever it throws becomes errors
 */
export const askNode = async (
  { document, variables, root, maxAliases }: NodeRequest,
  send: (part: RequestPart) => Promise<GraphqlAnswer>,
): Promise<NodeAnswer> => {
  const fields = rootFields(document);
  const asked = fields.filter((field) => !isTypeName(field));
  const parts = splitRequest(document, variables, asked, maxAliases);
  const answers = await Promise.all(parts.map((part) => answerTo(part, send)));
  // known without asking
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
  new TributaryError('NODE_BAD_RESPONSE', 'the answer leaves out what was asked');

/** An error of a node, said by us. A place that is not in this part of the request is none. */
const safeError = (error: GraphqlAnswerError, names: readonly string[]): GraphQLError => {
  // what a resolver of this process threw is safe already, and is presented as everywhere else
  if (error instanceof GraphQLError && error.originalError instanceof Error) return error;
  const path = isPath(error.path) && names.includes(String(error.path[0])) ? error.path : [names[0]!];
  try {
    assertNoErrors({ errors: [error] });
  } catch (safe) {
    return errorAt(path, safe);
  }
  throw new TypeError('an error is one');
};

const isPath = (path: unknown): path is (string | number)[] =>
  Array.isArray(path) &&
  path.length <= 100 &&
  path.every((step) => typeof step === 'string' || typeof step === 'number');

const errorAt = (path: readonly (string | number)[], error: unknown): GraphQLError => {
  const originalError = asTributaryError(error);
  return new GraphQLError(originalError.message, { path, originalError });
};
