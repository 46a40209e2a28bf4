/**
 * The names, each once, whatever its case: the first of equal ones stays, the others are numbered from 2.
 * @param numbered a name with a number
 */
export const distinctNames = (
  names: readonly string[],
  numbered: (name: string, number: number) => string,
): readonly string[] => {
  const wanted = new Set(names.map((name) => name.toLowerCase()));
  const taken = new Set<string>();
  return names.map((name) => {
    let distinct = name;
    for (let number = 2; taken.has(distinct.toLowerCase()); number++) {
      const next = numbered(name, number);
      if (!wanted.has(next.toLowerCase())) distinct = next;
    }
    taken.add(distinct.toLowerCase());
    return distinct;
  });
};
