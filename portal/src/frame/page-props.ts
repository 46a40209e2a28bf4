import type { PortalConfig, Source } from '../api/config.ts';

/** The props of every page. */
export interface PageProps {
  readonly config: PortalConfig;
  readonly source: Source;
}
