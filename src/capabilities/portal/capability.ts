import type { Capability } from '../../server/http/capability.ts';
import { openLinksStore } from './links-routes.ts';
import { addPortal } from './portal-routes.ts';

export const portal: Capability = {
  name: 'portal',
  open: ({ config }) => {
    const { links: place } = config.http.portal ?? {};
    const links = place && openLinksStore(place.file, place.maxBytes);
    return {
      routes: (router, parts) => addPortal(router, { ...parts, links }),
      close: () => links?.close(),
    };
  },
};
