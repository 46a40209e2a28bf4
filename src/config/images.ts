import { join, resolve } from 'node:path';
import { z } from 'zod';
import { readImageHost, type ImageHost } from '../images/image-hosts.ts';
import type { ImageSettings } from '../images/image-store.ts';
import type { ExtendedEntry } from '../introspection/fields/catalogue-config.ts';
import { key } from '../introspection/sections/key.ts';
import { wholeNumber } from './variable-forms.ts';

/** Hosts of pictures, separated by commas. */
const imageHosts = z.string().transform((text, context): readonly ImageHost[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .flatMap((part) => {
      const host = readImageHost(part);
      if (host !== null) return [host];
      const message = `${part} is not a host: images.example.org, *.example.org or https://images.example.org:8443 expected`;
      context.addIssue({ code: 'custom', message });
      return [];
    }),
);

export const imageVariables = {
  IMAGE_HOSTS: key(
    imageHosts.default([]),
    'The hosts from which this server fetches the pictures of records, for fields with `image`; without it, it serves none. [Pictures](portal.md#pictures-and-links) says what is allowed.',
    {
      form: 'hosts such as `images.example.org` or `*.example.org`, separated by commas',
      byDefault: 'none',
    },
  ),
  IMAGE_CACHE_MAX_BYTES: key(
    wholeNumber(0).default(1024 ** 3),
    'How much space those pictures may take in `DATA_PATH/images`, in bytes; the oldest make room.',
  ),
};

type ImageVariables = {
  readonly [Name in keyof typeof imageVariables]: z.output<(typeof imageVariables)[Name]>;
};

export const imagesOf = (variables: ImageVariables & { readonly DATA_PATH: string }): ImageSettings => ({
  hosts: variables.IMAGE_HOSTS,
  folder: join(resolve(variables.DATA_PATH), 'images'),
  maxBytes: variables.IMAGE_CACHE_MAX_BYTES,
});

/**
 * The entries of fields as they are announced: without hosts to fetch from, no field is announced as a picture.
 * @returns `unserved`: the fields whose pictures are not announced
 */
export const announcedImages = (
  extended: readonly ExtendedEntry[],
  { IMAGE_HOSTS }: Pick<ImageVariables, 'IMAGE_HOSTS'>,
): { readonly extended: readonly ExtendedEntry[]; readonly unserved: readonly string[] } => {
  const having = new Set(extended.filter(({ image }) => image === true));
  if (IMAGE_HOSTS.length > 0 || having.size === 0) return { extended, unserved: [] };
  return {
    extended: extended.map((entry) => (having.has(entry) ? { ...entry, image: false } : entry)),
    unserved: [...having].map(({ fieldName }) => fieldName),
  };
};
