import test from 'ava';
import { TributaryError } from '../../../../src/lib/errors/errors.ts';
import { openMetrics } from '../../../../src/server/http/ops/metrics.ts';
import { runApp } from '../running-app.ts';

interface Line {
  readonly route?: string;
  readonly path: string;
  readonly status: number;
  readonly state?: string;
}

test('the log and the metrics count the same requests, by the same routes and with the same outcomes', async (t) => {
  const metrics = openMetrics();
  const app = await runApp(t, {
    metrics,
    accessFilter: (context) => {
      if (context.get('authorization') !== '') throw new TributaryError('UNAUTHENTICATED', 'not this token');
      return null;
    },
  });
  const total = '{ book { hits { total } } }';
  const answers = [
    await app.query('/graphql', total),
    await app.query('/library/graphql/tag', total),
    await app.query('/graphql', '{ nothing }'),
    await app.get('/introspection/library', { authorization: 'Bearer one' }),
    await app.get('/introspection/lost'),
    await app.get('/nothing/here'),
    await app.get('/download'),
  ];
  t.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 400, 401, 404, 404, 400],
  );
  for (const answer of answers) await answer.text();
  const ended = (): readonly Line[] =>
    app
      .log()
      .split('\n')
      .flatMap((line) => (line.includes('"msg":"request"') ? [JSON.parse(line) as Line] : []));
  while (ended().length < answers.length) await new Promise((resolve) => setImmediate(resolve));
  const text = await metrics.text();
  const counted = (name: string): readonly string[] =>
    [...text.matchAll(new RegExp(`^${name}\\{(.*)\\} (\\d+)$`, 'gm'))]
      .flatMap(([, labels, count]) => Array<string>(Number(count)).fill(labels!))
      .sort();
  t.deepEqual(
    counted('tributary_http_request_duration_seconds_count'),
    ended()
      .map(({ route = 'other', status }) => `route="${route}",status="${status}"`)
      .sort(),
  );
  t.deepEqual(
    counted('tributary_graphql_operations_total'),
    ended()
      .flatMap(({ path, state }) => (path.includes('graphql') ? [`outcome="${state}"`] : []))
      .sort(),
  );
  t.deepEqual(counted('tributary_http_refusals_total'), ['reason="token"']);
});
