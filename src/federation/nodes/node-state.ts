import type { ErrorCode } from '../../errors/errors.ts';
import type { NodeState } from '../../search/node-states.ts';

const states: Readonly<Partial<Record<ErrorCode, NodeState>>> = {
  NODE_TIMEOUT: 'timeout',
  ENGINE_TIMEOUT: 'timeout',
  NODE_UNREACHABLE: 'unreachable',
  ENGINE_UNAVAILABLE: 'unreachable',
  NOT_READY: 'unreachable',
  index_not_found: 'unreachable',
  permission_denied: 'unreachable',
  connection_error: 'unreachable',
  mapping_fetch_error: 'unreachable',
  schema_build_error: 'unreachable',
  unknown_error: 'unreachable',
  NOT_FOUND: 'unreachable',
  NODE_REFUSED: 'refused',
  NETWORK_LOOP: 'refused',
  BAD_USER_INPUT: 'refused',
  TOO_MANY_REQUESTS: 'refused',
  UNAUTHENTICATED: 'refused',
  FORBIDDEN: 'refused',
  NOT_DISCLOSED: 'refused',
  NODE_DISCOVERING: 'discovering',
  NODE_DISCOVERY_FAILED: 'discoveryFailed',
  NODE_CIRCUIT_OPEN: 'circuitOpen',
};

/** The state of a node that failed to answer with this code; unlisted failures are bad responses. */
export const answerStateOf = (code: ErrorCode): NodeState => states[code] ?? 'badResponse';
