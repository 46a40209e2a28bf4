import test from 'ava';
import type { Detail, NetworkBody as ReadNetwork } from '../../../portal/src/api/catalogue.ts';
import type { PortalConfig } from '../../../portal/src/api/config.ts';
import type { Plan } from '../../../portal/src/api/download.ts';
import type { NetworkState } from '../../../portal/src/api/network-state.ts';
import type { PlannedManifest } from '../../../src/local/download/manifest.ts';
import type { catalogueDetail } from '../../../src/server/http/catalogue/introspection-routes.ts';
import type { NetworkBody, summedNetwork } from '../../../src/server/http/network/network-body.ts';
import type { portalConfig } from '../../../src/capabilities/portal/portal-routes.ts';

/** Whether what the server sends is what the pages read; the compiler names what differs. */
type Sends<Sent, Read> = Sent extends Read ? true : { readonly sent: Sent; readonly read: Read };

/** Disclosure is passed on as JSON, and checked where the server reads it. */
type Sent = Omit<ReturnType<typeof catalogueDetail>, 'meta'>;

// each is checked by the compiler, as part of `npm run lint`
const bodies = {
  'GET /portal/config.json': true satisfies Sends<ReturnType<typeof portalConfig>, PortalConfig>,
  'GET /introspection/{id}': true satisfies Sends<Sent, Omit<Detail, 'meta'>>,
  'GET /network, of what can be queried': true satisfies Sends<NetworkBody, ReadNetwork>,
  'GET /network': true satisfies Sends<NetworkBody, NetworkState>,
  'GET /network, summed up': true satisfies Sends<ReturnType<typeof summedNetwork>, NetworkState>,
  'POST /network/download?manifest': true satisfies Sends<PlannedManifest, Plan>,
};

test('the pages read what the server sends, body by body', (t) => {
  t.deepEqual(Object.keys(bodies).toSorted(), [
    'GET /introspection/{id}',
    'GET /network',
    'GET /network, of what can be queried',
    'GET /network, summed up',
    'GET /portal/config.json',
    'POST /network/download?manifest',
  ]);
});
