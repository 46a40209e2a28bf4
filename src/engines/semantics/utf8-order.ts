/**
 * Compares two strings by their UTF-8 bytes, that is by code point. JavaScript's own `<` compares UTF-16 units and puts
 * surrogate pairs before U+E000 to U+FFFF.
 */
export const utf8Order = (left: string, right: string): number => {
  const length = Math.min(left.length, right.length);
  for (let at = 0; at < length; at += 1) {
    const leftUnit = left.charCodeAt(at);
    const rightUnit = right.charCodeAt(at);
    if (leftUnit !== rightUnit) return rank(leftUnit) - rank(rightUnit);
  }
  return left.length - right.length;
};

/** The sort position of a unit: surrogates represent code points above all others. */
const rank = (unit: number): number => (unit < 0xd800 ? unit : unit < 0xe000 ? unit + 0x2000 : unit - 0x800);
