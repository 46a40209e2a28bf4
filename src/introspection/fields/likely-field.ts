import { editDistance } from '../../text/edit-distance.ts';
import type { Fields } from './field.ts';

/**
 * The field probably meant by an unknown name, based on common mistakes: `__` or different case in place of the path,
 * only the last part of a path, a typo. Undefined when nothing is close, or when two fields are equally close and a
 * guess would mislead.
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

/** Comparing two names costs the product of their lengths, and anyone may request it. */
const maxNameLength = 80;
const maxWork = 200_000;

/** A path without regard to case and to how its parts are joined. */
const plainName = (path: string): string => path.toLowerCase().replaceAll('__', '.').replace(/[-\s]/g, '_');

const only = (fields: Fields, fits: (path: string) => boolean): string | undefined => {
  const [found, ...others] = [...fields.keys()].filter(fits);
  return others.length === 0 ? found : undefined;
};

const nearest = (plain: string, fields: Fields): string | undefined => {
  const max = slips(plain);
  let best: { readonly path: string; readonly distance: number; readonly isOnly: boolean } | undefined;
  for (const path of fields.keys()) {
    if (Math.abs(path.length - plain.length) > max) continue;
    const distance = editDistance(plain, plainName(path));
    if (distance > max || (best !== undefined && distance > best.distance)) continue;
    best = { path, distance, isOnly: distance !== best?.distance };
  }
  return best?.isOnly === true ? best.path : undefined;
};

/** How many letters may differ: fewer in a short name, or everything would look similar. */
const slips = (name: string): number => (name.length < 4 ? 1 : name.length < 9 ? 2 : 3);
