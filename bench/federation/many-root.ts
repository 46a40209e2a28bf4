import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { documentType } from './answers.ts';
import { manyFields } from './many-answers.ts';
import { startProgram, type Program, type Start } from './portal.ts';

/** The program in front of very many stubs. */
export interface Many extends Program {
  readonly nodes: number;
  /** How long it took until there was something to be discovered, in milliseconds. */
  readonly preparedMs: number;
  /** Whether some nodes are down and some hang, as configured. */
  readonly setFaulty: (isFaulty: boolean) => void;
}

/** Each process has its own limit of open files. */
const stubsOfProcess = 256;

/** @param deadlineMs how long a node may take */
export const startMany = async (nodes: number, deadlineMs: number, start: Start): Promise<Many> => {
  const startedMs = performance.now();
  const stubs = await startStubs(nodes);
  const preparedMs = performance.now() - startedMs;
  const entries = stubs
    .flatMap((one) => one.ports)
    .map((port, at) => ({
      nodeId: `n${at}`,
      documentType,
      graphqlUrl: `http://127.0.0.1:${port}/graphql`,
    }));
  const defaults = { timeoutMs: deadlineMs, discoveryTimeoutMs: 10_000, maxDepth: 20 };
  const program = await startProgram(
    { network: { documentType, fields: manyFields }, defaults, nodes: entries },
    start,
  );
  return {
    ...program,
    nodes,
    preparedMs,
    setFaulty: (isFaulty) => stubs.forEach(({ child }) => void child.send({ isFaulty })),
    close: async () => {
      await program.close();
      const children = stubs.map(({ child }) => child);
      const ended = children.map((child) => once(child, 'exit'));
      children.forEach((child) => child.disconnect());
      await Promise.all(ended);
    },
  };
};

interface Ports {
  readonly child: ChildProcess;
  readonly ports: readonly number[];
}

const portsOf = async (program: string, step: readonly string[]): Promise<Ports> => {
  const child = fork(program, step);
  const [ports] = (await once(child, 'message')) as [readonly number[]];
  return { child, ports };
};

const startStubs = (nodes: number): Promise<readonly Ports[]> =>
  Promise.all(
    Array.from({ length: Math.ceil(nodes / stubsOfProcess) }, (_, at) => {
      const range = [at * stubsOfProcess, Math.min(nodes, (at + 1) * stubsOfProcess)];
      return portsOf(`${import.meta.dirname}/many-stubs.ts`, [nodes, ...range].map(String));
    }),
  );

const query = `query($filters: JSON, $waitFor: WaitFor) { network(filters: $filters, waitFor: $waitFor) {
  total nodes { nodeId hits state }
  aggregations { ${Object.keys(manyFields)
    .filter((name) => name !== 'id')
    .map((name) => `${name} { bucket_count buckets { key doc_count upper_bound } }`)
    .join(' ')} }
} }`;

/**
 * A question of five facets.
 * @param number makes the question another one, so that nothing is shared
 * @returns the share of the nodes that answered, from 0 to 1; null when it refused because it was too busy
 */
export const askMany = async (url: string, number: number, waitFor?: object): Promise<number | null> => {
  const filters = { op: 'in', content: { fieldName: 'facet0', value: [`key-${number}`] } };
  const response = await fetch(`${url}/network/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables: { filters, ...(waitFor && { waitFor }) } }),
  });
  const { data, ...rest } = (await response.json()) as {
    data?: { network?: { nodes: readonly { state: string }[] } };
    errors?: readonly { extensions?: { code?: string } }[];
  };
  if (rest.errors?.[0]?.extensions?.code === 'NOT_READY') return null;
  if (!data?.network) throw new Error(`no answer: ${JSON.stringify(rest).slice(0, 500)}`);
  const { nodes } = data.network;
  return nodes.filter(({ state }) => state === 'ok').length / nodes.length;
};
