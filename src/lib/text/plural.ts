/** `record` for 1, else `records`. @param many unset: with an s */
export const plural = (count: number, one: string, many = `${one}s`): string => (count === 1 ? one : many);

/** `1 record`, `1 234 records`. */
export const countOf = (count: number, noun: string): string =>
  `${formatCount(count)} ${plural(count, noun)}`;

/** 1234567 as `1 234 567`. */
export const formatCount = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ' ');
