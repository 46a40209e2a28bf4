/** The first names of a list, and how many there are besides: "a, b and 3 more". */
export const firstOf = (names: readonly string[], max: number): string => {
  const shown = names.slice(0, max).join(', ');
  return names.length > max ? `${shown} and ${names.length - max} more` : shown;
};
