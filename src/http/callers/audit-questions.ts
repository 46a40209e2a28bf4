import { BlockList, isIPv6 } from 'node:net';
import type { AuditTrail } from '../../access/audit/audit-trail.ts';
import { asTributaryError } from '../../errors/errors.ts';
import type { AuditedQuestion, AuditFn } from '../../search/request-context.ts';
import { printSqon } from '../../sqon/parse.ts';
import type { HttpContext, Middleware } from '../koa/http-context.ts';
import { carryAudit, doorOf } from '../koa/request-questions.ts';
import { addressOf } from './caller-budgets.ts';

/** The trail that questions are written to. */
export interface AuditParts {
  readonly trail: AuditTrail;
  /** Names filters; null: they are written whole. */
  readonly queryMac: ((query: string) => string) | null;
}

/**
 * Writes a line for each question that a request puts to a catalogue, before its answer leaves: who asked what, never
 * the answer nor a token. The keys are those of the Elastic Common Schema where it has some.
 */
export const auditQuestions =
  (audit: () => AuditParts | null, trustedProxies: number): Middleware =>
  async (context, next) => {
    const parts = audit();
    carryAudit(context, parts && writer(context, parts, trustedProxies));
    await next();
  };

const writer = (context: HttpContext, { trail, queryMac }: AuditParts, trustedProxies: number): AuditFn => {
  const caller = callerOf(context, trustedProxies);
  return (question) => {
    const door = doorOf(context) ?? 'other';
    const query = queryOf(question);
    trail.write({
      ...outcomeOf(question),
      'event.duration': Math.round(question.tookMs * 1e6),
      ...caller(),
      ...placeOf(question),
      'tributary.door': door,
      'tributary.query': queryMac === null ? query : queryMac(query),
      'tributary.fields': question.fields.map((field) => field.slice(0, maxFieldLength)),
    });
  };
};

/** Some fields are names as the client wrote them. */
const maxFieldLength = 200;

/** The filter as text; equal ones are equal texts. */
const queryOf = ({ filters, facetFilters = [], document }: AuditedQuestion): string => {
  if (document !== undefined) return document;
  const printed = printSqon(filters);
  return JSON.stringify(facetFilters.length === 0 ? printed : [printed, ...facetFilters.map(printSqon)]);
};

const outcomeOf = ({ state, kind, rows }: AuditedQuestion) => ({
  'event.action': kind,
  'event.outcome': state === 'ok' ? 'success' : state === 'pending' ? 'unknown' : 'failure',
  ...(state !== 'ok' && state !== 'pending' && { 'error.code': state }),
  'tributary.rows': rows,
});

const placeOf = ({ catalogueId, tier, network, nodes }: AuditedQuestion) => ({
  ...(catalogueId !== null && { 'tributary.catalogue': catalogueId, 'tributary.tier': tier }),
  ...(network !== null && {
    'tributary.network': network,
    'tributary.nodes': nodes.map(({ nodeId, state }) => ({ id: nodeId, state })),
  }),
});

/** The address is read at once, since a connection that closes meanwhile has none; the caller once verified. */
const callerOf = (context: HttpContext, trustedProxies: number) => {
  const address = addressClass(addressOf(context, trustedProxies));
  return () => ({ ...userOf(context), 'client.class': address, ...requestOf(context) });
};

const userOf = ({ state: { subject } }: HttpContext) => {
  const [issuer = null, id = null] = subject === undefined ? [] : (JSON.parse(subject) as (string | null)[]);
  return id === null ? {} : { 'user.issuer': issuer, 'user.id': id };
};

const requestOf = (context: HttpContext) => {
  const isHub = context.get('tributary-node') === '1';
  return {
    'http.request.id': context.state.requestId,
    ...(isHub && {
      'tributary.hub': context.get('tributary-path').slice(0, 500),
      'tributary.hub_request_id': context.get('x-request-id').slice(0, 128),
    }),
  };
};

const near = new BlockList();
near.addSubnet('10.0.0.0', 8);
near.addSubnet('172.16.0.0', 12);
near.addSubnet('192.168.0.0', 16);
near.addSubnet('fc00::', 7, 'ipv6');
near.addSubnet('fe80::', 10, 'ipv6');

const addressClass = (address: string): string => {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '').split('%')[0]!;
  if (plain === '::1' || plain.startsWith('127.')) return 'loopback';
  return near.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4') ? 'private' : 'public';
};

/** What a request is put to: a catalogue, or a network by its name. */
export type Asked = Pick<AuditedQuestion, 'catalogueId' | 'network'>;

/** Writes down that a caller was refused before any search; the error is passed on. */
export const auditedRefusal =
  (audit: AuditFn | undefined, asked: Asked, kind: AuditedQuestion['kind'] = 'count') =>
  (error: unknown): never => {
    const { code } = asTributaryError(error);
    audit?.({
      ...{ ...asked, kind, nodes: [], tier: null, filters: null, fields: [] },
      ...{ state: code, rows: 0, total: null, tookMs: 0 },
    });
    throw error;
  };

/** The same for what reads a request: only a budget that is used up refuses a question. */
export const auditedBudget = (
  audit: AuditFn | undefined,
  asked: Asked,
  kind?: AuditedQuestion['kind'],
): ((error: unknown) => never) => {
  const refused = auditedRefusal(audit, asked, kind);
  return (error) => {
    if (asTributaryError(error).code === 'TOO_MANY_REQUESTS') return refused(error);
    throw error;
  };
};
