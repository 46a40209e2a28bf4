import type { PortalConfig } from '../api/config.ts';
import { addressOf } from '../api/server.ts';
import { addressOfPage, type PageName } from '../state/navigation.ts';
import type { View } from '../state/view.ts';

type Base = Pick<PortalConfig, 'publicUrl'>;

/** The address under which others reach the server, with a trailing slash. */
export const baseOf = ({ publicUrl }: Base): string =>
  publicUrl === null ? addressOf('') : `${publicUrl.replace(/\/$/, '')}/`;

/** A link to a page for sharing. */
export const linkTo = (config: Base, page: PageName, view: View): string =>
  config.publicUrl === null
    ? addressOfPage(page, view)
    : baseOf(config) + addressOfPage(page, view).slice(addressOfPage('start').length);
