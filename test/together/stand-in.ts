/** One call of `test(...)`, `test.serial.skip(...)`, `test.before(...)`: its parts, and what it was called with. */
export interface Declared {
  readonly name: string;
  readonly flags: readonly string[];
  readonly args: readonly unknown[];
}

const hooks = ['before', 'beforeEach', 'afterEach', 'after'];
let recorded: Declared[] = [];

/** What a test file declares while it is imported. */
export const record = async (load: () => Promise<unknown>): Promise<readonly Declared[]> => {
  recorded = [];
  await load();
  return recorded;
};

const chain = (path: readonly string[]): unknown =>
  new Proxy(() => undefined, {
    get: (_, name: string) => chain([...path, name]),
    apply: (_, __, args: unknown[]) => {
      const name = path.find((part) => hooks.includes(part)) ?? 'test';
      recorded.push({ name, flags: path.filter((part) => part !== name), args });
    },
  });

/** Stands in for AVA's `test`. */
export default chain([]);
