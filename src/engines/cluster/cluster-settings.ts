/** The address of a search server and the credentials for it. */
export interface ClusterSettings {
  readonly kind: 'elasticsearch' | 'opensearch' | 'detect';
  /** One URL, or several of the same cluster separated by commas. */
  readonly url: string;
  readonly user: string | undefined;
  readonly password: string | undefined;
  readonly apiKey: string | undefined;
  /** A file with certificates to trust. */
  readonly caFile: string | undefined;
}
