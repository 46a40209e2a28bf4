/** The outcome of a query at a node. */
export const nodeStates = [
  'discovering',
  'ok',
  'timeout',
  'unreachable',
  /** It has no time for the query now. */
  'busy',
  'refused',
  'badResponse',
  'discoveryFailed',
  'circuitOpen',
  /** It dials in, and has no tunnel at the moment. */
  'disconnected',
  /** It dials in, and has not been accepted. */
  'invited',
  'excluded',
  /** It may still answer: the query did not wait for it. */
  'pending',
] as const;
export type NodeState = (typeof nodeStates)[number];

/**
 * The state of a node over the life of the process. `failing`: its last calls failed, but it is still queried.
 * `discoveryFailed`: not queried until its entry changes. `unavailable`: a local catalogue that cannot be searched
 * now. `circuitOpen`: not queried for a while. `disconnected`, `invited`: it dials in, and is not connected.
 */
export type TrackedState =
  | Extract<NodeState, 'ok' | 'discovering' | 'discoveryFailed' | 'circuitOpen' | 'disconnected' | 'invited'>
  | 'failing'
  | 'unavailable';

/** How a node covers the facets of a field. */
export const coverageStates = [
  'answered',
  'notCovered',
  'failed',
  'excluded',
  /** It answered, but these numbers would disclose its records. */
  'withheld',
] as const;
export type CoverageState = (typeof coverageStates)[number];
