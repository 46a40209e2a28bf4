/** What stands for a value when it is written: what its own `toJSON` says, as JSON.stringify does. */
export const jsonValue = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value;
  const { toJSON } = value as { toJSON?: unknown };
  return typeof toJSON === 'function' ? (toJSON.call(value, '') as unknown) : value;
};

/** Whether JSON has no word for a value: objects leave it out, lists have null in its place. */
export const isUnserializable = (value: unknown): boolean =>
  value === undefined || typeof value === 'function' || typeof value === 'symbol';
