import { editDistance } from '../../edit-distance.ts';
import type { Fields } from './field.ts';

/**
 * The field that a name which is none was probably meant for, by what people get wrong: `__` or another case instead
 * of the path, the last part of a path alone, a slip in the letters. Undefined when nothing is near, or when two
 * fields are equally near and a guess would mislead.
 */
export const likelyField = (name: string, fields: Fields): string | undefined => {
  if (name.length > maxNameLength || name.length * fields.size > maxWork) return undefined;
  const plain = plainName(name);
  return (
    only(fields, (path) => plainName(path) === plain) ??
    only(fields, (path) => plainName(path).endsWith(`.${plain}`)) ??
    nearest(plain, fields)
  );
};

/** Comparing two names costs the product of their lengths, and anyone may ask for it. */
const maxNameLength = 80;
const maxWork = 200_000;

/** A path whatever its case, and whichever way its parts are joined. */
const plainName = (path: string): string => path.toLowerCase().replaceAll('__', '.').replace(/[-\s]/g, '_');

const only = (fields: Fields, fits: (path: string) => boolean): string | undefined => {
  const [found, ...others] = [...fields.keys()].filter(fits);
  return others.length === 0 ? found : undefined;
};

const nearest = (plain: string, fields: Fields): string | undefined => {
  const most = slips(plain);
  let best: { readonly path: string; readonly distance: number; readonly isOnly: boolean } | undefined;
  for (const path of fields.keys()) {
    if (Math.abs(path.length - plain.length) > most) continue;
    const distance = editDistance(plain, plainName(path));
    if (distance > most || (best !== undefined && distance > best.distance)) continue;
    best = { path, distance, isOnly: distance !== best?.distance };
  }
  return best?.isOnly === true ? best.path : undefined;
};

/** How many letters may differ: of a short name fewer, or everything looks like it. */
const slips = (name: string): number => (name.length < 4 ? 1 : name.length < 9 ? 2 : 3);
