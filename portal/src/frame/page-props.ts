import type { PortalConfig, Source } from '../api/config.ts';

/** What every page is given. */
export interface PageProps {
  readonly config: PortalConfig;
  readonly source: Source;
}
