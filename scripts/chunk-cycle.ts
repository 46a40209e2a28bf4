/**
 * The shortest circle of static imports from the first chunk that is in one; null if there is none. Every chunk runs code
 * at load, and in a circle one of them runs before what it needs.
 */
export const chunkCycle = (importsOf: ReadonlyMap<string, readonly string[]>): readonly string[] | null => {
  for (const start of importsOf.keys()) {
    const paths = [[start]];
    const seen = new Set<string>();
    for (const path of paths)
      for (const next of importsOf.get(path.at(-1)!) ?? []) {
        if (next === start) return [...path, start];
        if (!seen.has(next)) paths.push([...path, next]);
        seen.add(next);
      }
  }
  return null;
};
