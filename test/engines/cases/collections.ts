import type { Collection } from './case.ts';
import { facets } from './facets.ts';
import { flat } from './flat.ts';
import { nestedObjects } from './nested.ts';
import { patterns } from './patterns.ts';
import { sorting } from './sorting.ts';
import { writing } from './writing.ts';

/** All that every engine must answer alike. */
export const collections: readonly Collection[] = [flat, patterns, nestedObjects, facets, sorting, writing];
