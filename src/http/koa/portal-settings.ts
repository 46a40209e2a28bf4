/** The settings passed to the portal's pages; see docs/portal.md. */
export interface PortalSettings {
  /** Where browsers reach this server, perhaps with a path; null: where the page was opened. */
  readonly publicUrl: string | null;
  /** Where people sign in; null: nowhere. */
  readonly signIn: SignIn | null;
  /** The content of portal.json, checked: how a consortium wants it. */
  readonly look: PortalLook;
}

/** An OpenID Connect provider, and what the pages request from it. */
export interface SignIn {
  readonly issuer: string;
  readonly clientId: string;
  /** Words, `openid` among them. */
  readonly scope: string;
  /** What tokens are for (RFC 8707); null where the provider decides. */
  readonly resource: string | null;
}

/** A text, or one for each language. */
export type LocalText = string | Readonly<Record<string, string>>;

/** How a consortium makes the portal its own. */
export interface PortalLook {
  readonly name?: LocalText | undefined;
  readonly tagline?: LocalText | undefined;
  readonly logo?: string | undefined;
  readonly accent?: { readonly light: string; readonly dark: string } | undefined;
  readonly links?: readonly { readonly text: LocalText; readonly href: string }[] | undefined;
  readonly source?: string | undefined;
  readonly charts?: readonly string[] | undefined;
  readonly hiddenFacets?: readonly string[] | undefined;
  readonly citation?: LocalText | undefined;
}
