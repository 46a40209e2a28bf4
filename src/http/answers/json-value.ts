/** The value that is serialized: the result of its `toJSON` if it has one, as in JSON.stringify. */
export const jsonValue = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value;
  const { toJSON } = value as { toJSON?: unknown };
  return typeof toJSON === 'function' ? (toJSON.call(value, '') as unknown) : value;
};

/** Whether JSON cannot represent a value: objects omit it, lists hold null in its place. */
export const isUnserializable = (value: unknown): boolean =>
  value === undefined || typeof value === 'function' || typeof value === 'symbol';
