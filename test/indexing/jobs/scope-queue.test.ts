import test from 'ava';
import fc, { runs } from '../../fast-check.ts';
import { newScopeQueue, type Scope } from '../../../src/indexing/jobs/scope-queue.ts';

const scope = (changes: Partial<Scope> = {}): Scope => ({
  indexName: 'things',
  repositoryCode: 'museum',
  organization: 'O',
  wholeIndex: false,
  ...changes,
});

/** The rule, pair by pair. */
const overlap = (left: Scope, right: Scope): boolean =>
  left.indexName === right.indexName &&
  (left.wholeIndex ||
    right.wholeIndex ||
    (left.repositoryCode === right.repositoryCode &&
      (left.organization === null ||
        right.organization === null ||
        left.organization === right.organization)));

test('jobs of one scope run one after the other, in order', (t) => {
  const queue = newScopeQueue(4);
  queue.add('first', scope());
  queue.add('second', scope());
  t.is(queue.next(), 'first');
  t.is(queue.next(), undefined);
  queue.finish('first');
  t.is(queue.next(), 'second');
});

test('a job of the whole repository waits for those before it, and those after it wait', (t) => {
  const queue = newScopeQueue(4);
  queue.add('O', scope());
  queue.add('all', scope({ organization: null }));
  queue.add('P', scope({ organization: 'P' }));
  queue.add('other', scope({ repositoryCode: 'archive' }));
  t.is(queue.next(), 'O');
  t.is(queue.next(), 'other');
  t.is(queue.next(), undefined);
  queue.finish('O');
  t.is(queue.next(), 'all');
  t.is(queue.next(), undefined);
  queue.finish('all');
  t.is(queue.next(), 'P');
});

test('what replaces an index runs alone on it, whoever writes there', (t) => {
  const queue = newScopeQueue(4);
  queue.add('rebuild', scope({ organization: null, wholeIndex: true }));
  queue.add('shares', scope({ repositoryCode: 'archive' }));
  queue.add('elsewhere', scope({ repositoryCode: 'archive', indexName: 'papers' }));
  t.deepEqual([queue.next(), queue.next(), queue.next()], ['rebuild', 'elsewhere', undefined]);
});

test('no more than the limit run at once', (t) => {
  const queue = newScopeQueue(1);
  queue.add('O', scope());
  queue.add('P', scope({ organization: 'P' }));
  t.deepEqual([queue.next(), queue.next()], ['O', undefined]);
});

test('a job that is taken out does not run, one that runs cannot be', (t) => {
  const queue = newScopeQueue(4);
  queue.add('first', scope());
  queue.add('second', scope());
  t.is(queue.next(), 'first');
  t.false(queue.remove('first'));
  t.true(queue.remove('second'));
  t.false(queue.remove('second'));
  queue.finish('first');
  t.is(queue.next(), undefined);
});

const scopes = fc.record({
  indexName: fc.constantFrom('things', 'papers'),
  repositoryCode: fc.constantFrom('museum', 'archive'),
  organization: fc.constantFrom('O', 'P', null),
  wholeIndex: fc.integer({ min: 0, max: 5 }).map((number) => number === 0),
});
/** A scope is a job that comes; a number ends one of those that run. */
const events = fc.array(fc.oneof(scopes, fc.nat()), { maxLength: 60 });

test('whatever comes and ends: overlapping jobs never run at once and keep their order, others do not wait', (t) => {
  const property = fc.property(events, fc.integer({ min: 1, max: 4 }), (happening, limit) => {
    const queue = newScopeQueue(limit);
    const waiting: { id: string; scope: Scope }[] = [];
    const running: { id: string; scope: Scope }[] = [];
    happening.forEach((event, number) => {
      if (typeof event === 'object') {
        waiting.push({ id: String(number), scope: event });
        queue.add(String(number), event);
      } else if (running.length > 0) {
        queue.finish(running.splice(event % running.length, 1)[0]!.id);
      }
      for (;;) {
        const free = waiting.find(({ scope: requested }, index) =>
          [...running, ...waiting.slice(0, index)].every((other) => !overlap(other.scope, requested)),
        );
        const expected = running.length < limit ? free : undefined;
        t.is(queue.next(), expected?.id);
        if (expected === undefined) return;
        waiting.splice(waiting.indexOf(expected), 1);
        running.push(expected);
      }
    });
  });
  fc.assert(property, { numRuns: runs(300) });
  t.pass();
});
