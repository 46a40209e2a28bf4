import { randomUUID } from 'node:crypto';

const marks = new WeakMap<object, string>();

/** Names an object for the life of this process: another object, even an equal one, has another name. */
export const objectMark = (object: object): string => {
  const known = marks.get(object);
  if (known !== undefined) return known;
  const mark = randomUUID();
  marks.set(object, mark);
  return mark;
};
