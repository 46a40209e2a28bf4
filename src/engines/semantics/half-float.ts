/** The nearest half_float. Math.f16round exists in the runtime but not yet in the compiler's library. */
export const roundToHalf = (Math as unknown as { f16round(value: number): number }).f16round;
