import { setFlagsFromString } from 'node:v8';

/** From so many nodes on. */
const manyNodes = 100;

/**
 * Lets the heap double before it is searched for garbage, if there are very many nodes. V8 lets the heap of a server
 * that mostly waits grow by a fifth, which the answers of a thousand nodes fill with every query or two: searching it
 * took a third of a query's processor time. Smaller networks are left to V8, which has nothing to gain there.
 * @param nodes of all networks of this process
 */
export const growHeapFor = (nodes: number): void =>
  // 0 is what V8 starts with: it decides by itself; a V8 that no longer knows the flag says so and goes on
  setFlagsFromString(`--heap-growing-percent=${nodes < manyNodes ? 0 : 100}`);
