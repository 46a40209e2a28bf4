import test from 'ava';
import { openMetrics } from '../../../src/http/ops/metrics.ts';
import { runApp } from '../running-app.ts';

test('requests are counted by route, whatever the path; the numbers are for the token only', async (t) => {
  const app = await runApp(t, { metrics: openMetrics(), settings: { metricsToken: 'top-secret' } });
  await (await app.query('/graphql/anything', '{ __typename }')).text();
  await (await app.get('/no/such/path')).text();
  await (await app.get('/introspection/unknown')).text();
  for (const authorization of ['', 'Bearer top', 'Bearer top-secret2', 'Basic top-secret', 'Bearer'])
    t.is((await app.get('/metrics', { authorization })).status, 401, authorization);
  const response = await app.get('/metrics', { authorization: 'Bearer top-secret' });
  t.is(response.status, 200);
  t.regex(response.headers.get('content-type')!, /^text\/plain; version=0\.0\.4/);
  const text = await response.text();
  const counted = text.split('\n').filter((line) => line.startsWith('tributary_http_request_duration_seconds_count'));
  for (const labels of ['route="/graphql",status="200"', 'route="other",status="404"', 'route="/introspection/:catalogue",status="404"', 'route="/metrics",status="401"'])
    t.true(counted.some((line) => line.includes(labels)), `${labels}\nin\n${counted.join('\n')}`);
}); // prettier-ignore

test('without a token there are no metrics', async (t) => {
  const app = await runApp(t, { metrics: openMetrics() });
  t.is((await app.get('/metrics')).status, 404);
});
