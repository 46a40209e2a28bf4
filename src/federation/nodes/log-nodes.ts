import type { Logger } from 'pino';
import type { NodeChange, NodeHandle } from './node-handle.ts';
import type { TrackedState } from '../../search/node-states.ts';

/** The destination of a network's log lines: JSON, one per event. */
export type NetworkLog = Pick<Logger, 'info' | 'warn'>;

const messages: Readonly<Record<TrackedState, string>> = {
  discovering: 'node is being discovered',
  ok: 'node is well',
  failing: 'node fails',
  discoveryFailed: 'node failed discovery and is not queried until its entry changes or the server restarts',
  unavailable: 'node is unavailable',
  circuitOpen: 'node paused after repeated failures',
};

/** One line per change: the node, its new state with reason and time, its previous state and the start of that. */
export const logChange = (log: NetworkLog, network: string, change: NodeChange): void => {
  const { nodeId, kind, state, code, reason, since, was, wasSince } = change;
  const failure = code === null ? {} : { code, reason };
  const line = { network, node: nodeId, kind, state, ...failure, since, was, wasSince };
  if (state === 'ok') log.info(line, was === 'discovering' ? 'node joined' : 'node recovered');
  else log.warn(line, messages[state]);
};

/** The warnings left by discovery: field conflicts, guesses. */
export const logWarnings = (
  log: NetworkLog,
  network: string,
  sources: readonly NodeHandle[],
  ofFields: readonly string[],
): void => {
  for (const { nodeId, warnings } of sources.map((source) => source.report()))
    for (const warning of warnings) log.warn({ network, node: nodeId }, `node has a warning: ${warning}`);
  for (const warning of ofFields) log.warn({ network }, `network has a warning: ${warning}`);
};
