import test from 'ava';
import { joinFromClosedNetwork, withoutNamespaces } from '../../capabilities/joining/closed-network.ts';
import { openFront } from '../../capabilities/joining/proxies.ts';

test('a member without any route but to a proxy joins a hub behind a reverse proxy', async (t) => {
  t.timeout(600_000);
  const problem = withoutNamespaces();
  if (problem !== null) {
    t.log(`network namespaces cannot be made here, so nothing is shown: ${problem}`);
    return t.pass();
  }
  const { total, check, withoutProxy, wrongPassword, connected } = await joinFromClosedNetwork(
    (port, to, certificate) => openFront(to, { certificate, port }),
  );
  t.is(total, 5);
  t.regex(check, /^reached https:\/\/localhost:\d+: /);
  t.regex(withoutProxy, /^connection refused: localhost port \d+; nothing listens/);
  t.regex(wrongPassword, /the proxy refuses the name and password of HTTPS_PROXY \(HTTP 407\)/);
  t.deepEqual(connected, ['localhost:HUB']);
});
