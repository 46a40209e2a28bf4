import type { ServedCatalogue } from './servers.ts';

/** A work as every museum knows it, whatever the museum calls its parts. */
export interface Artwork {
  readonly museum: string;
  readonly title: string;
  readonly artists: readonly { readonly name: string; readonly gender?: string }[];
  readonly classification: string;
  readonly height?: number;
}

const artists = [
  { name: 'Kauffman', gender: 'Female' },
  { name: 'Turner', gender: 'Male' },
  { name: 'Constable', gender: 'Male' },
  { name: 'Jensen' },
];
const kinds = ['painting', 'drawing', 'container'];
const museums = ['tate', 'turner', 'carnegie'];

const artwork = (number: number): Artwork => ({
  museum: museums[number % museums.length]!,
  title: `Work ${String(number).padStart(2, '0')}`,
  // none, one or two, and Turner at more than one museum
  artists: artists.slice(number % 4, (number % 4) + (number % 3)),
  classification: kinds[((number * 5) % 7) % kinds.length]!,
  ...(number % 5 === 0 ? {} : { height: (number * 37) % 90 }),
});

/** 24 works, eight at each of three museums. */
export const artworks: readonly Artwork[] = Array.from({ length: 24 }, (_, at) => artwork(at));

const keyword = { type: 'keyword' };

/** Two museums of one house share a form: works by number, contributors with genders. */
const houseMapping = {
  id: { type: 'long' },
  title: keyword,
  contributors: { type: 'nested', properties: { fc: keyword, gender: keyword } },
  classification: keyword,
  height: { type: 'float' },
};
const houseDocument = ({ title, artists: by, classification, height }: Artwork, id: number): object => ({
  id,
  title,
  classification,
  ...(height === undefined ? {} : { height }),
  contributors: by.map(({ name, ...others }) => ({ fc: name, ...others })),
});

/** The third has other names, and no genders. */
const otherMapping = {
  id: keyword,
  title: keyword,
  creator: { type: 'nested', properties: { full_name: keyword } },
  kind: keyword,
  item_height: { type: 'integer' },
};
const otherDocument = ({ title, artists: by, classification, height }: Artwork, id: number): object => ({
  id: `cmoa:things/${id}`,
  title,
  creator: by.map(({ name }) => ({ full_name: name })),
  kind: classification.toUpperCase(),
  ...(height === undefined ? {} : { item_height: height }),
});

const museum = (
  name: string,
  properties: object,
  document: (work: Artwork, id: number) => object,
): ServedCatalogue => ({
  files: {
    'base.json': { documentType: 'artwork', esIndex: name, maxDepth: 9 },
    'extended.json': [
      { fieldName: 'title', displayName: 'Title of the work', quickSearchEnabled: true },
      { fieldName: 'height', unit: 'cm' },
    ],
  },
  mapping: { mappings: { properties } },
  documents: artworks.flatMap((work, id) => (work.museum === name ? [document(work, id)] : [])),
  idField: 'id',
});

export const museumCatalogues = {
  tate: museum('tate', houseMapping, houseDocument),
  turner: museum('turner', houseMapping, houseDocument),
  carnegie: museum('carnegie', otherMapping, otherDocument),
};

const houseFields = {
  creator: 'contributors',
  'creator.name': 'contributors.fc',
  'creator.gender': 'contributors.gender',
};

/** Says nothing of facets and table: a portal shows what is declared. */
export const museumNodes = {
  network: {
    displayName: 'Museums',
    documentType: 'artwork',
    maxDepth: 9,
    fields: {
      title: 'keyword',
      'creator.name': 'keyword',
      'creator.gender': 'keyword',
      classification: 'keyword',
      height: 'float',
      creator: 'nested',
    },
    // the components know no lengths
    extended: [{ fieldName: 'height', unit: null }],
  },
  nodes: [
    { nodeId: 'tate', catalogue: 'tate', fields: houseFields },
    { nodeId: 'turner', catalogue: 'turner', fields: houseFields },
    {
      nodeId: 'carnegie',
      catalogue: 'carnegie',
      fields: { 'creator.name': 'creator.full_name', classification: 'kind', height: 'item_height' },
      values: { classification: { PAINTING: 'painting', DRAWING: 'drawing', CONTAINER: 'container' } },
    },
  ],
};
