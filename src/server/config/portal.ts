import { join, resolve } from 'node:path';
import { invalidConfig } from '../../lib/errors/errors.ts';
import type { PortalConfig } from './config.ts';
import { problemsError, schemaProblems, type Problem } from '../../lib/text/problem.ts';
import { readConfigFile, repeatedNotice } from './json-file.ts';
import type { Variables } from './variables.ts';
import { z } from 'zod';
import { key } from '../../introspection/fields/key.ts';
import { portalLanguages } from '../../lib/text/portal-languages.ts';

/**
 * The settings passed to the portal's pages; null when PORTAL_PATH is off.
 * @param warnings gets a warning about a repeated key
 * @throws TributaryError CONFIG_INVALID
 */
export const readPortal = (variables: Variables, warnings: Problem[]): PortalConfig | null => {
  if (variables.PORTAL_PATH === 'off') return null;
  return {
    publicUrl: variables.PUBLIC_URL ?? null,
    signIn: readSignIn(variables),
    links: { file: join(resolve(variables.DATA_PATH), '@portal-links.sqlite'), maxBytes: 64 * 1024 * 1024 },
    imageHosts: variables.IMAGE_HOSTS,
    ...readLookFile(variables.PORTAL_PATH, warnings),
  };
};

/** The provider and the client id of the pages must be set together. */
const readSignIn = (variables: Variables): PortalConfig['signIn'] => {
  const { PORTAL_OIDC_ISSUER: issuer, PORTAL_OIDC_CLIENT_ID: clientId } = variables;
  if (issuer === undefined && clientId === undefined) return null;
  if (issuer === undefined)
    throw invalidConfig('PORTAL_OIDC_CLIENT_ID is set but PORTAL_OIDC_ISSUER is not: name the provider');
  if (clientId === undefined)
    throw invalidConfig(
      'PORTAL_OIDC_ISSUER is set but PORTAL_OIDC_CLIENT_ID is not: set it to the client id that the provider has for the pages',
    );
  return { issuer, clientId, scope: variables.PORTAL_OIDC_SCOPE };
};

/** The file with the portal's own look, unless PORTAL_PATH is set. */
export const lookFile = './portal.json';

/** The file at PORTAL_PATH; without the variable ./portal.json, which may be missing. */
export const readLook = (path: string | undefined, warnings: Problem[]): PortalConfig['look'] =>
  readLookFile(path, warnings).look;

const readLookFile = (
  path: string | undefined,
  warnings: Problem[],
): Pick<PortalConfig, 'look' | 'lookFile'> => {
  const read = readConfigFile('PORTAL_PATH', path, lookFile);
  if (read === null) return { look: {}, lookFile: null };
  warnings.push(...repeatedNotice(read));
  const { content, file } = read;
  const checked = portalFile.safeParse(content);
  if (checked.success) return { look: checked.data, lookFile: file };
  throw problemsError(schemaProblems(portalFile, checked.error.issues, content, file));
};

const text = z.string().trim().min(1);

const languageNames = Object.keys(portalLanguages) as (keyof typeof portalLanguages)[];

/** One text, or one for each language. */
const localText = z.union([text, z.partialRecord(z.enum(languageNames), text)]);

/** The lightest background of links in the light theme, the darkest in the dark one. */
const surfaces = { light: '#ffffff', dark: '#1d2024' } as const;
const leastContrast = 4.5;

const colourOn = (theme: keyof typeof surfaces) =>
  z
    .string()
    .regex(/^#[0-9a-f]{6}$/i, 'is not a colour such as #0b5cad')
    .refine(
      (colour) => contrast(colour, surfaces[theme]) >= leastContrast,
      `has too little contrast with ${surfaces[theme]}: at least ${leastContrast} to 1 is needed to be read`,
    );

/** The contrast ratio of WCAG 2.2, by relative luminances: 1 to 21. */
const contrast = (one: string, other: string): number => {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (high + 0.05) / (low + 0.05);
};

const luminance = (colour: string): number => {
  const [red, green, blue] = [1, 3, 5]
    .map((at) => parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)) as [
    number,
    number,
    number,
  ];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

/** Only http and https: a link must not run a script. */
const address = z
  .string()
  .refine(
    (href) =>
      URL.canParse(href, 'https://here/') && /^https?:$/.test(new URL(href, 'https://here/').protocol),
    'is not an http or https address',
  );

/** A condition of a filter; the queried server validates its content. */
const condition = z
  .record(z.string(), z.unknown())
  .refine(
    ({ op, content }) => typeof op === 'string' && typeof content === 'object' && content !== null,
    'is not a condition with op and content',
  );

/** The file at PORTAL_PATH. */
export const portalFile = z.strictObject({
  name: key(localText.optional(), 'The name of the portal.', { byDefault: "the network's name" }),
  tagline: key(localText.optional(), 'A line below it.'),
  logo: key(
    z
      .string()
      .regex(/^data:image\/(svg\+xml|png|webp)[;,]/, 'is not a data: URL of an SVG, PNG or WebP image')
      .max(65_536)
      .optional(),
    'A small image as a `data:` URL.',
  ),
  accent: key(
    z.strictObject({ light: colourOn('light'), dark: colourOn('dark') }).optional(),
    'The colour of links and buttons, by theme.',
    { form: '`{light, dark}`', isDescribedElsewhere: true },
  ),
  links: key(
    z
      .array(z.strictObject({ text: localText, href: address }))
      .max(12)
      .optional(),
    'Links at the foot.',
    { form: 'list of `{text, href}`', isDescribedElsewhere: true },
  ),
  source: key(text.optional(), 'Shown first: `network` or a catalogue.', {
    byDefault: 'the network',
  }),
  charts: key(z.array(text).max(24).optional(), 'Fields with charts on the start page.', {
    byDefault: 'those that divide best',
  }),
  timeline: key(text.optional(), 'The field of the histogram above the table.', {
    byDefault: 'a date, year or number',
  }),
  hiddenFacets: key(z.array(text).optional(), 'Fields without a facet.'),
  facetGroups: key(
    z
      .array(
        z.strictObject({
          name: key(localText, 'Its heading.'),
          facets: key(z.array(text).min(1), 'Its fields.'),
        }),
      )
      .max(50)
      .optional(),
    'Headings over facets.',
  ),
  fieldNames: key(
    z.record(text, localText).optional(),
    'Labels of fields by language: `{"sex": {"fr": "Sexe"}}`.',
    { byDefault: 'their `displayName`' },
  ),
  recordNames: key(
    z
      .record(text, z.partialRecord(z.enum(languageNames), z.strictObject({ one: text, other: text })))
      .optional(),
    'What records are called: `{"donor": {"fr": {"one": "donneur", "other": "donneurs"}}}`.',
    {
      byDefault: 'the document type, or a general word',
      form: '`{one, other}` by document type and language',
      isDescribedElsewhere: true,
    },
  ),
  questions: key(
    z
      .array(
        z.strictObject({
          text: key(localText, 'The question.'),
          filters: z.array(condition).min(1).meta({
            description: 'Its [filters](filters.md), which all hold.',
            form: 'list of filters',
          }),
        }),
      )
      .max(12)
      .optional(),
    'Questions on the start page.',
    { byDefault: 'common values' },
  ),
  synonyms: key(
    z.record(text, z.record(text, z.array(text).min(1))).optional(),
    'Words for values in the search box: `{"primary_site": {"Breast": ["sein", "Brust"]}}`.',
  ),
  citation: key(localText.optional(), 'How to cite it.'),
});
