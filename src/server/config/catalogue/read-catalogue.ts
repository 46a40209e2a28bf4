import { basename, join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import type {
  CatalogueConfig,
  CatalogueEngine,
  ConfigPlaces,
  HierarchyFiles,
} from '../../../introspection/fields/catalogue-config.ts';
import { readSections, type SectionDefaults } from '../../../introspection/sections/sections.ts';
import { catalogueKeys, type CatalogueContent } from './catalogue-files.ts';
import { disclosureOf } from '../disclosure.ts';
import type { ReadParts } from './folder-parts.ts';
import { mergeParts, placeOf, type Part } from './parts.ts';
import { readLeniently, type ReadLeniently } from '../../../introspection/sections/lenient-values.ts';
import { faultAt, noticeAt, reasonOf, type Problem } from '../../../lib/text/problem.ts';
import { introspectionDisabled, switchesOf } from './switches.ts';
import { unreadKeys } from './unread-keys.ts';
import type { Variables } from '../variables.ts';

/** One catalogue as its folder has it; the id may still have to be made unique. */
export interface ReadCatalogue {
  readonly config: CatalogueConfig;
  readonly warnings: readonly Problem[];
}

/**
 * Builds a catalogue from its parts, with defaults filled in (files first, then the environment). Never throws: errors
 * in a file are listed in `config.problems` and only fail this catalogue.
 * @param folder where the catalogue is, for messages; its base name is the default id
 * @param legacy ES_INDEX and DOCUMENT_TYPE, for the only catalogue of a server
 */
export const readCatalogue = (
  folder: string,
  environment: Variables,
  legacy: { readonly esIndex?: string; readonly documentType?: string },
  { parts, files: names, problems: unreadable, strays }: ReadParts,
): ReadCatalogue => {
  const { content, problems, hasDisclosure, showsRecords, lenient } = contentOf(parts);
  const unread = unreadKeys(parts);
  const hierarchies = hierarchiesOf(content.hierarchies, strays === undefined ? '.' : folder);
  const files = new Set(Object.values(hierarchies).map(({ path }) => path));
  // a key that may be meant to hide something must not be ignored; catalogue.json has keys of its own
  const refused = [
    ...(strays ?? [])
      .filter(({ name, isDisclosure }) => isDisclosure || (hasDisclosure && !files.has(join(folder, name))))
      .map(({ problem }) => problem),
    ...unread
      .filter(
        ({ problem, isDisclosure }) => isDisclosure || (hasDisclosure && problem.file !== 'catalogue.json'),
      )
      .map(({ problem }) => problem),
  ];
  const { description, network } = content;
  const sections = readSections(content, sectionDefaults(environment));
  const esIndex = content.esIndex || legacy.esIndex || null;
  const config: CatalogueConfig = {
    catalogueId: content.catalogId || folderId(folder),
    ...(description === undefined || description === '' ? {} : { description }),
    documentType: content.documentType || legacy.documentType || '',
    esIndex,
    ...(content.esHost === undefined ? {} : { engine: engineOf(content.esHost, content, environment) }),
    nestingPrefix: content.nestingPrefix || null,
    maxAliases: content.maxAliases ?? environment.GRAPHQL_MAX_ALIASES,
    maxDepth: content.maxDepth ?? environment.GRAPHQL_MAX_DEPTH,
    disableGraphQLIntrospection: introspectionDisabled(content.disableGraphQLIntrospection, environment),
    switches: switchesOf(content, environment),
    setsIndex: content.sets?.index ?? environment.ES_ARRANGER_SETS_INDEX,
    ...sections,
    downloadBufferRows: content.downloads?.chunkSize ?? environment.DOWNLOAD_STREAM_BUFFER_SIZE,
    ...(files.size > 0 && { hierarchies }),
    ...(network === undefined || network === null ? {} : { network: { network } }),
    ...(content.disclosure === undefined ? {} : { disclosure: disclosureOf(content.disclosure) }),
    ...(showsRecords && { showsRecords }),
    places: placesOf(parts),
    ...{ folder, files: names },
    problems: [
      ...unreadable,
      ...problems,
      ...refused.map((problem): Problem => ({ ...problem, severity: 'error' })),
      ...(esIndex === null ? oldIndex(parts) : []),
    ],
  };
  const others = unread.map(({ problem }) => problem).filter((problem) => !refused.includes(problem));
  const warnings = [...lenient, ...others, ...unshownPictures(parts, sections, environment)];
  return { config, warnings: warnings.map((one) => ({ ...one, file: join(folder, one.file ?? '') })) };
};

const unshownPictures = (
  parts: readonly Part[],
  { extended }: Pick<CatalogueConfig, 'extended'>,
  { PORTAL_PATH, IMAGE_HOSTS }: Variables,
): readonly Problem[] =>
  PORTAL_PATH === 'off' || IMAGE_HOSTS.length > 0
    ? []
    : extended.flatMap(({ fieldName, image }, at) => {
        const { file, key } = placeOf(parts, ['extended', at, 'image']);
        const reason = `of ${fieldName} shows no pictures: set IMAGE_HOSTS to the hosts that have them`;
        return image === true ? [noticeAt(file, key, reason)] : [];
      });

/** @param folder that relative paths start from; for an object from an application, the working folder */
const hierarchiesOf = (files: CatalogueContent['hierarchies'], folder: string): HierarchyFiles =>
  Object.fromEntries(
    Object.entries(files ?? {}).map(([name, { file, relations }]) => [
      name,
      { path: resolve(folder, file), file, relations: relations ?? [] },
    ]),
  );

const engineOf = (
  url: string,
  { esCredentials }: Partial<CatalogueContent>,
  { ES_CA }: Variables,
): CatalogueEngine => ({ url, ...esCredentials, ...(ES_CA === undefined ? {} : { caFile: ES_CA }) });

/** Reports the name that release 3.0 used for esIndex; saved sets use it now. */
const oldIndex = (parts: readonly Part[]): readonly Problem[] =>
  parts
    .filter(({ keys }) => typeof keys['index'] === 'string')
    .slice(0, 1)
    .map(({ file }) =>
      faultAt(file, 'index', 'is there and no esIndex: rename it to esIndex, its name since release 3.1'),
    );

/** The id of a folder without a catalogId: its name, or "" for generic names. */
const folderId = (folder: string): string => (/^configs?$/i.test(basename(folder)) ? '' : basename(folder));

const sectionDefaults = (environment: Variables): SectionDefaults => ({
  maxResultsWindow: environment.MAX_RESULTS_WINDOW,
  rowIdFieldName: environment.ROW_ID_FIELD_NAME,
  downloads: {
    allowCustomMaxRows: environment.ALLOW_CUSTOM_DOWNLOAD_MAX_ROWS,
    rowCap: environment.DOWNLOAD_MAX_ROWS || null,
  },
});

interface Content {
  readonly content: Partial<CatalogueContent>;
  readonly problems: readonly Problem[];
  /** Whether it has a disclosure section. */
  readonly hasDisclosure: boolean;
  /** Whether that section only says that records are shown. */
  readonly showsRecords: boolean;
  /** Values of wrong types, and how they were interpreted. */
  readonly lenient: readonly Problem[];
}

/** Validates key by key: a catalogue with an invalid key is still listed by id, with its documentType. */
const contentOf = (parts: readonly Part[]): Content => {
  const merged = mergeParts(parts);
  const disclosing = parts.filter(({ keys }) => Object.hasOwn(keys, 'disclosure')).map(({ file }) => file);
  const problems = [
    ...merged.problems,
    ...disclosing.slice(1).map((file) => faultAt(file, 'disclosure', `is in ${disclosing[0]} too: keep one`)),
  ];
  const content: Record<string, unknown> = {};
  const lenient: ReadLeniently[] = [];
  const hasDisclosure = disclosing.length > 0;
  const showsRecords = isDeepStrictEqual(merged.content['disclosure'], { default: 'records' });
  for (const [key, schema] of Object.entries<z.ZodType>(catalogueKeys)) {
    if (key === 'disclosure' && showsRecords) continue;
    const value = readLeniently(key, schema, merged.content[key], (one) => lenient.push(one));
    const parsed = schema.safeParse(value);
    if (parsed.success) content[key] = parsed.data;
    else
      problems.push(
        ...parsed.error.issues.map((issue) => {
          const place = placeOf(parts, [key, ...issue.path]);
          const reason = reasonOf(issue, value);
          return faultAt(place.file, place.key, /^(is|has) /.test(reason) ? reason : `is wrong: ${reason}`);
        }),
      );
  }
  return {
    content: content as Partial<CatalogueContent>,
    problems,
    hasDisclosure,
    showsRecords,
    lenient: linesOf(parts, lenient),
  };
};

/** One line per key of each list, for all entries with that key. */
const linesOf = (parts: readonly Part[], all: readonly ReadLeniently[]): readonly Problem[] => {
  const byList = Map.groupBy(all, ({ path, outcome }) =>
    JSON.stringify([path.filter((step) => typeof step === 'string'), outcome]),
  );
  return [...byList.values()].map(([one, ...more]) => {
    const { file, key } = placeOf(parts, one!.path);
    const others = more.length === 0 ? '' : `, and ${more.length} more`;
    return noticeAt(file, key, `is of another type: ${one!.outcome}${others}`);
  });
};

const placeText = (parts: readonly Part[], path: readonly PropertyKey[]): string => {
  const { file, key } = placeOf(parts, path);
  return key === '' ? file : `${file}, ${key}`;
};

/** Where each section is in the files, or would be. */
const placesOf = (parts: readonly Part[]): ConfigPlaces => ({
  extended: placeText(parts, ['extended']),
  survival: placeText(parts, ['survival']),
  facets: placeText(parts, ['facets', 'aggregations']),
  columns: placeText(parts, ['table', 'columns']),
  defaultSorting: placeText(parts, ['table', 'defaultSorting']),
  matchbox: placeText(parts, ['matchbox']),
  network: placeText(parts, ['network']),
  disclosure: placeText(parts, ['disclosure']),
});
