/**
 * Orders two strings as their UTF-8 bytes are ordered, which is by code point. JavaScript's own `<` orders by UTF-16
 * unit and puts surrogate pairs before U+E000 to U+FFFF.
 */
export const compareUtf8 = (a: string, b: string): number => {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index += 1) {
    const unitA = a.charCodeAt(index);
    const unitB = b.charCodeAt(index);
    if (unitA !== unitB) return rank(unitA) - rank(unitB);
  }
  return a.length - b.length;
};

/** A unit's place: surrogates stand for code points above all others. */
const rank = (unit: number): number => (unit < 0xd800 ? unit : unit < 0xe000 ? unit + 0x2000 : unit - 0x800);
