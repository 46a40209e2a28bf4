import { responsePathAsArray, type GraphQLResolveInfo } from 'graphql';

type Path = GraphQLResolveInfo['path'];

/**
 * Values of one execution that are finished down to their leaves, exactly as they are to be sent: an executor would
 * only walk and copy them, which for a thousand buckets costs more than all else in the request. It is given null
 * instead, and the values take their places when it is done.
 *
 * An execution that knows this has it as its root value, as the paths count from its root. Any other, such as one
 * that a resolver starts, has none, and its executor walks.
 */
export class DeferredValues {
  readonly #deferred: { readonly path: Path; readonly value: unknown }[] = [];

  defer(path: Path, value: unknown): void {
    this.#deferred.push({ path, value });
  }

  /** Puts the values into the data of the execution; those below a field that became null stay out. */
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
 * What the resolver of a field returns whose value is finished: with each selected field under its response name, in
 * the order of the selection, `__typename` too, and of values that the executor would neither change nor refuse.
 * @param info of that field, which must be nullable
 */
export const deferValue = (value: unknown, { rootValue, path }: GraphQLResolveInfo): unknown => {
  if (!(rootValue instanceof DeferredValues)) return value;
  rootValue.defer(path, value);
  return null;
};
