/** The nearest half_float. Math.f16round exists in the runtime; the compiler's library does not know it yet. */
export const roundToHalf = (Math as unknown as { f16round(value: number): number }).f16round;
