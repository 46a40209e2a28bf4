import type { Source } from '../api/config.ts';

/** A name of words, joined by hyphens. */
const slugOf = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .toLowerCase();

/** The name of a saved file: the network or catalogue, the content, and the day. */
export const fileNameOf = ({ name }: Pick<Source, 'name'>, content: string, ending: string): string =>
  `${[name, content]
    .map(slugOf)
    .filter((part) => part !== '')
    .join('-')}-${new Date().toISOString().slice(0, 10)}.${ending}`;
