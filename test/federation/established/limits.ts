import { Kind, parse, visit } from 'graphql';
import type { RemoteServer } from '../remote-server.ts';

/** Its limits of one document: some levels and 15 aliases; introspection is free of them. */
export const refusals =
  (maxDepth: number): RemoteServer['fault'] =>
  ({ query }, response) => {
    if (query.includes('__schema')) return false;
    let [depth, deepest, aliases] = [0, 0, 0];
    visit(parse(query), {
      [Kind.FIELD]: {
        enter: ({ alias }) => {
          deepest = Math.max(deepest, (depth += 1));
          if (alias) aliases += 1;
        },
        leave: () => {
          depth -= 1;
        },
      },
    });
    if (deepest <= maxDepth && aliases <= 15) return false;
    const message =
      deepest > maxDepth
        ? `Query depth limit exceeded: current depth ${deepest} exceeds maximum of ${maxDepth}.`
        : 'Syntax Error: Aliases limit of 15 exceeded.';
    refuse(response, message);
    return true;
  };

/** HTTP 400 with a GraphQL error, its form of a refusal. */
export const refuse = (response: Parameters<RemoteServer['fault']>[1], message: string): void => {
  const errors = [{ message, extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }];
  response.writeHead(400, { 'content-type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify({ errors }));
};
