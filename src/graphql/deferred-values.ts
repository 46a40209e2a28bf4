import { responsePathAsArray, type GraphQLResolveInfo } from 'graphql';

type Path = GraphQLResolveInfo['path'];

/**
 * Values of one execution that are complete down to their leaves, exactly as they will be sent: an executor would only
 * walk and copy them, which for a thousand buckets costs more than everything else in the request. It gets null
 * instead, and the values are inserted when it is done.
 *
 * An execution that supports this has it as its root value, since paths start at the root. Any other, such as one
 * started by a resolver, has none, and its executor walks the values.
 */
export class DeferredValues {
  readonly #deferred: { readonly path: Path; readonly value: unknown }[] = [];

  defer(path: Path, value: unknown): void {
    this.#deferred.push({ path, value });
  }

  /** Inserts the values into the execution's data; those below a field that became null are dropped. */
  insertInto(data: unknown): void {
    for (const { path, value } of this.#deferred) {
      let parent = data;
      for (const key of responsePathAsArray(path.prev))
        parent = (parent as Readonly<Record<string | number, unknown>> | null)?.[key];
      if (parent) (parent as Record<string | number, unknown>)[path.key] = value;
    }
  }
}

/**
 * Called by the resolver of a field whose value is complete: it holds each selected field under its response name, in
 * selection order, including `__typename`, and only values that the executor would neither change nor reject.
 * @param info the root value of the execution, and the path of that field, which must be nullable
 */
export const deferValue = (
  value: unknown,
  { rootValue, path }: Pick<GraphQLResolveInfo, 'rootValue' | 'path'>,
): unknown => {
  if (!(rootValue instanceof DeferredValues)) return value;
  rootValue.defer(path, value);
  return null;
};
