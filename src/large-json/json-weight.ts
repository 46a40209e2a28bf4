/** About what a number takes, so that the weight of lists of them is near their size. */
const numberBytes = 8;

/**
 * What is left of `room` characters when a value has been written, about: strings are not looked into, and what writes
 * itself is taken for what it is made of. Below 0, where it stops counting, the value does not fit.
 */
export const roomBeside = (value: unknown, room: number): number => {
  if (typeof value === 'string') return room - value.length - 3;
  if (typeof value !== 'object' || value === null) return room - numberBytes;
  let left = room - 2;
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length && left >= 0; at++) left = roomBeside(value[at], left);
    return left;
  }
  // faster than a list of the keys; what is inherited as well does no harm
  for (const key in value) {
    left = roomBeside((value as Readonly<Record<string, unknown>>)[key], left - key.length - 3);
    if (left < 0) break;
  }
  return left;
};
