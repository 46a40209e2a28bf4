import type { LocalText } from '../../../src/text/portal-languages.ts';
import type { Filter } from './filter.ts';
import { getJson, setBase } from './server.ts';

export type FieldNames = Readonly<Record<string, LocalText>>;

/** A noun by number. */
export interface Plural {
  readonly one: string;
  readonly other: string;
}

/** What one record is called, and what several are, by document type and language. */
export type RecordNames = Readonly<Record<string, Readonly<Record<string, Plural>>>>;

/** A network or a catalogue: something that can be queried. */
export interface Source {
  readonly id: string;
  readonly kind: 'network' | 'catalogue';
  /** Its part of addresses, before /graphql. */
  readonly path: string;
  readonly name: string;
  readonly description: string | null;
  readonly documentType: string | null;
  readonly status: 'available' | 'failed';
  /** The consortium's names of its fields; the server's own where there is none. */
  readonly fieldNames?: FieldNames;
  readonly recordNames?: RecordNames;
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
  /** Where people sign in; null or absent: nowhere. */
  readonly signIn?: SignInConfig | null;
  readonly look: Look;
  /** In a static build, the addresses of its pages. */
  readonly pages?: Readonly<Record<string, string>>;
  /** In a static build, where the API is. */
  readonly api?: string;
}

/** A provider of OpenID Connect. */
export interface SignInConfig {
  readonly issuer: string;
  readonly clientId: string;
  readonly scope: string;
  readonly resource: string | null;
}

/** What a consortium says in portal.json. */
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
  /** What fields are called, by path. */
  readonly fieldNames?: FieldNames;
  readonly recordNames?: RecordNames;
  readonly citation?: LocalText;
  /** Questions to begin with. */
  readonly questions?: readonly { readonly text: LocalText; readonly filters: readonly Filter[] }[];
}

/**
 * The configuration beside the page. A static site has its own looks and the address of the server that has the rest.
 * @param base where the page stands
 */
export const readConfig = async (base: URL): Promise<PortalConfig> => {
  setBase(base);
  const own = await getJson<PortalConfig>('portal/config.json');
  if (own.api === undefined) return withNames(own);
  setBase(new URL(own.api, base));
  const { pages, look, signIn = null } = own;
  const served = await getJson<PortalConfig>('portal/config.json');
  return withNames({
    ...served,
    look: { ...served.look, ...look },
    publicUrl: null,
    // its policy lets it send requests to the provider that it was built with
    signIn,
    ...(pages === undefined ? {} : { pages }),
  });
};

const withNames = (config: PortalConfig): PortalConfig => {
  const { fieldNames = {}, recordNames = {} } = config.look;
  return { ...config, sources: config.sources.map((source) => ({ ...source, fieldNames, recordNames })) };
};

/** The requested source, else the first one; null when nothing can be queried. */
export const sourceOf = ({ sources, look }: PortalConfig, id: string | undefined): Source | null =>
  sources.find((source) => source.id === (id ?? look.source)) ?? sources[0] ?? null;
