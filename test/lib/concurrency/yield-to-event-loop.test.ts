import test, { type ExecutionContext } from 'ava';
import {
  forCurrentWork,
  mapInSlices,
  onBehalfOf,
  runInSlices,
  yieldToEventLoop,
} from '../../../src/lib/concurrency/yield-to-event-loop.ts';

test('a slice of work that nobody waits for any more does not begin', async (t) => {
  const client = new AbortController();
  const waiting = yieldToEventLoop(client.signal);
  client.abort(new Error('left'));
  await t.throwsAsync(waiting, { message: 'left' });
});

test('nor does the next slice of long work', async (t) => {
  const client = new AbortController();
  const steps = function* () {
    for (let step = 0; step < 5; step += 1) yield compute(10);
  };
  const work = runInSlices(steps(), client.signal);
  client.abort(new Error('left'));
  await t.throwsAsync(work, { message: 'left' });
});

test('many items are mapped in order, and others have their turn between two', async (t) => {
  const order: (number | string)[] = [];
  const map = (item: number): number => {
    order.push(item);
    compute(10);
    return item * 2;
  };
  setImmediate(() => order.push('another'));
  t.deepEqual(await mapInSlices([1, 2, 3], map), [2, 4, 6]);
  t.deepEqual(order, [1, 'another', 2, 3]);
});

/** So that no time passes while other processes have the processor: a wait of seconds makes up for what was used. */
const runOnProcessorTime = (t: ExecutionContext): void => {
  const { now } = performance;
  performance.now = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1_000;
  };
  t.teardown(() => {
    performance.now = now;
  });
};

const named = (peer: string) => ({ peer, member: '' });

/** Takes this much time of the processor. */
const compute = (ms: number): void => {
  const before = process.threadCpuUsage();
  const usedMs = (): number => {
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1_000;
  };
  while (usedMs() < ms);
};

test.serial(
  'work that begins late and needs little is done before costly work of others goes on',
  async (t) => {
    runOnProcessorTime(t);
    let slices = 0;
    const costly = Array.from({ length: 20 }, (_, at) =>
      onBehalfOf(named(`caller ${at}`), async () => {
        for (let slice = 0; slice < 10; slice++) {
          await yieldToEventLoop();
          compute(2);
          slices += 1;
        }
      }),
    );
    // by then each has used more than what counts as cheap
    while (slices < 120) await new Promise((resolve) => setImmediate(resolve));
    const before = slices;
    await onBehalfOf(named('late'), async () => {
      for (let slice = 0; slice < 3; slice++) await yieldToEventLoop();
    });
    t.true(slices - before <= 5, `${slices - before} slices of others`);
    await Promise.all(costly);
    t.is(slices, 200);
  },
);

test.serial(
  'requests of one caller that have begun are finished before those that keep coming',
  async (t) => {
    const order: string[] = [];
    const request = (name: string) =>
      onBehalfOf(named('shared'), async () => {
        for (let slice = 0; slice < 5; slice++) {
          await yieldToEventLoop();
          compute(2);
        }
        order.push(name);
      });
    const first = request('first');
    const others: Promise<void>[] = [];
    while (!order.includes('first') && others.length < 150) {
      others.push(request(`other ${others.length}`));
      compute(2);
      await new Promise((resolve) => setImmediate(resolve));
    }
    t.true(others.length < 100, `${others.length} others began`);
    await first;
    await Promise.all(others);
  },
);

test.serial('little work of a busy caller goes before long work of newcomers, which goes on', async (t) => {
  runOnProcessorTime(t);
  await onBehalfOf(named('busy'), async () => {
    await yieldToEventLoop();
    compute(100);
    await yieldToEventLoop();
  });
  let slices = 0;
  const begun = new Set<number>();
  const long = Array.from({ length: 20 }, (_, at) =>
    onBehalfOf(named(`newcomer ${at}`), async () => {
      for (let slice = 0; slice < 5; slice++) {
        await yieldToEventLoop();
        compute(6);
        slices += 1;
        begun.add(at);
      }
    }),
  );
  while (begun.size < 20) await new Promise((resolve) => setImmediate(resolve));
  const before = slices;
  for (let request = 0; request < 20; request++) await onBehalfOf(named('busy'), yieldToEventLoop);
  // while there is no short work, long work goes on
  t.true(slices - before <= 40, `${slices - before} slices of others`);
  t.true(slices > before, 'the others stand still');
  await Promise.all(long);
});

test.serial('steps that others request are charged to the work that they are done for', async (t) => {
  const order: string[] = [];
  const step = async (name: string): Promise<void> => {
    await yieldToEventLoop();
    order.push(name);
  };
  const run = await onBehalfOf(named('costly'), async () => {
    await yieldToEventLoop();
    compute(20);
    await yieldToEventLoop();
    return forCurrentWork();
  });
  await Promise.all([run(() => step('costly')), onBehalfOf(named('new'), () => step('new'))]);
  t.deepEqual(order, ['new', 'costly']);
});

test.serial('a short request that has begun ends before those of others begin', async (t) => {
  const order: string[] = [];
  const request = (name: string) =>
    onBehalfOf(named(name), async () => {
      await yieldToEventLoop();
      order.push(`${name} begins`);
      await yieldToEventLoop();
      order.push(`${name} ends`);
    });
  await Promise.all(['first', 'second', 'third'].map(request));
  t.deepEqual(order, [
    ...['first begins', 'first ends', 'second begins', 'second ends'],
    ...['third begins', 'third ends'],
  ]);
});
