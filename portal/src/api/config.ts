import type { LocalText } from '../../../src/lib/text/portal-languages.ts';
import type { Filter } from './filter.ts';
import { getJson, setBase } from './server.ts';

export type FieldNames = Readonly<Record<string, LocalText>>;

/** The singular and plural forms of a noun. */
export interface Plural {
  readonly one: string;
  readonly other: string;
}

/** The nouns for one record and for several, by document type and language. */
export type RecordNames = Readonly<Record<string, Readonly<Record<string, Plural>>>>;

/** A network or a catalogue: something that can be queried. */
export interface Source {
  readonly id: string;
  readonly kind: 'network' | 'catalogue';
  /** Its path prefix, before /graphql. */
  readonly path: string;
  readonly name: string;
  readonly description: string | null;
  readonly documentType: string | null;
  /** Of a catalogue: whom to write to. */
  readonly contact?: { readonly name: string; readonly url?: string; readonly email?: string };
  readonly status: 'available' | 'failed';
  /** The consortium's names for its fields; otherwise the server's own. */
  readonly fieldNames?: FieldNames;
  readonly recordNames?: RecordNames;
  /** The hosts whose pictures may be shown; `*.` before a name: any name below it. */
  readonly imageHosts?: readonly string[];
}

/** GET /portal/config.json */
export interface PortalConfig {
  readonly version: string;
  readonly publicUrl: string | null;
  readonly sources: readonly Source[];
  readonly flags: {
    readonly downloads: boolean;
    readonly filters: boolean;
    readonly playground: boolean;
    readonly links: boolean;
  };
  /** Where users sign in; null or absent: nowhere. */
  readonly signIn?: SignInConfig | null;
  readonly imageHosts: readonly string[];
  readonly look: Look;
  /** In a static build, the addresses of its pages. */
  readonly pages?: Readonly<Record<string, string>>;
  /** In a static build, the address of the API. */
  readonly api?: string;
}

/** An OpenID Connect provider. */
export interface SignInConfig {
  readonly issuer: string;
  readonly clientId: string;
  readonly scope: string;
}

/** The contents of portal.json. */
export interface Look {
  readonly name?: LocalText;
  readonly tagline?: LocalText;
  readonly logo?: string;
  readonly accent?: { readonly light: string; readonly dark: string };
  readonly links?: readonly { readonly text: LocalText; readonly href: string }[];
  readonly source?: string;
  readonly charts?: readonly string[];
  /** The date or number of the histogram above the table. */
  readonly timeline?: string;
  readonly hiddenFacets?: readonly string[];
  readonly facetGroups?: readonly { readonly name: LocalText; readonly facets: readonly string[] }[];
  /** The names of fields, by path. */
  readonly fieldNames?: FieldNames;
  readonly recordNames?: RecordNames;
  readonly citation?: LocalText;
  /** Other words for values, by field and value. */
  readonly synonyms?: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
  /** Initial questions. */
  readonly questions?: readonly { readonly text: LocalText; readonly filters: readonly Filter[] }[];
}

/**
 * Reads the configuration next to the page. A static site has its own look and the address of the server with the rest.
 * @param base the base address of the page
 */
export const readConfig = async (base: URL): Promise<PortalConfig> => {
  setBase(base);
  const own = await getJson<PortalConfig>('portal/config.json');
  if (own.api === undefined) return withNames(own);
  setBase(new URL(own.api, base));
  const { pages, look, signIn = null, imageHosts } = own;
  const served = await getJson<PortalConfig>('portal/config.json');
  return withNames({
    ...served,
    look: { ...served.look, ...look },
    publicUrl: null,
    // its policy allows the provider and the hosts that it was built with
    ...{ signIn, imageHosts },
    ...(pages === undefined ? {} : { pages }),
  });
};

const withNames = (config: PortalConfig): PortalConfig => {
  const { imageHosts, look } = config;
  const { fieldNames = {}, recordNames = {} } = look;
  const shared = { fieldNames, recordNames, imageHosts };
  return { ...config, sources: config.sources.map((source) => ({ ...source, ...shared })) };
};

/** The requested source, else the first source; null when nothing can be queried. */
export const sourceOf = ({ sources, look }: PortalConfig, id: string | undefined): Source | null =>
  sources.find((source) => source.id === (id ?? look.source)) ?? sources[0] ?? null;
