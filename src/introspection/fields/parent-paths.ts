import type { Fields } from './field.ts';

/** The paths that others are below: for `a.b.c` both `a` and `a.b`. */
export const parentPaths = (fields: Fields): ReadonlySet<string> => {
  const parents = new Set<string>();
  for (const path of fields.keys())
    for (let dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1))
      parents.add(path.slice(0, dot));
  return parents;
};
