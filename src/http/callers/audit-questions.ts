import type { AuditTrail } from '../../access/audit/audit-trail.ts';
import { asTributaryError } from '../../errors/errors.ts';
import type { AuditedQuestion, AuditFn } from '../../search/request-context.ts';
import { printSqon } from '../../sqon/parse.ts';
import { hubOf, type HttpContext, type Middleware } from '../koa/http-context.ts';
import { carryAudit, doorOf } from '../koa/request-record.ts';
import { addressClass, addressOf } from './caller-name.ts';

/** The trail that queries are written to. */
export interface AuditParts {
  readonly trail: AuditTrail;
  /** Replaces filters by a MAC; null: they are written in full. */
  readonly queryMac: (query: string) => string;
}

/**
 * Writes a line for each query that a request makes, before its answer leaves: who queried what, never the answer nor a
 * token. The keys are those of the Elastic Common Schema where it has some.
 */
export const auditQuestions =
  (audit: { readonly parts: AuditParts | null } | undefined, trustedProxies: number): Middleware =>
  async (context, next) => {
    const parts = audit?.parts ?? null;
    carryAudit(context, parts && writer(context, parts, trustedProxies));
    await next();
  };

const writer = (context: HttpContext, { trail, queryMac }: AuditParts, trustedProxies: number): AuditFn => {
  // read at once, since a connection that closes meanwhile has no address
  const address = addressOf(context, trustedProxies);
  return (question) => {
    const { kind, state, rows, tookMs, catalogueId, tier, network, nodes, fields } = question;
    const query = queryOf(question);
    const isHub = context.get('tributary-node') === '1';
    // undefined values are left out of the line
    trail.write({
      'event.action': kind,
      'event.outcome': state === 'ok' ? 'success' : 'failure',
      'error.code': state === 'ok' ? undefined : state,
      'tributary.rows': rows,
      'event.duration': Math.round(tookMs * 1e6),
      ...userOf(context),
      'client.class': hubOf(context) === undefined ? addressClass(address) : 'tunnel',
      'tributary.tunnel': hubOf(context),
      'http.request.id': context.state.requestId,
      'tributary.hub': isHub ? context.get('tributary-path').slice(0, 500) : undefined,
      'tributary.hub_request_id': isHub ? context.get('x-request-id').slice(0, 128) : undefined,
      'tributary.catalogue': catalogueId ?? undefined,
      'tributary.tier': catalogueId === null ? undefined : tier,
      'tributary.network': network ?? undefined,
      'tributary.nodes':
        network === null ? undefined : nodes.map((node) => ({ id: node.nodeId, state: node.state })),
      'tributary.door': doorOf(context) ?? 'other',
      'tributary.query': queryMac(query),
      // some are names as the client wrote them
      'tributary.fields': fields.map((field) => field.slice(0, 200)),
    });
  };
};

/** The filter as text; equal filters give equal texts. */
const queryOf = ({ filters, facetFilters = [], document }: AuditedQuestion): string => {
  if (document !== undefined) return document;
  const printed = printSqon(filters);
  return JSON.stringify(facetFilters.length === 0 ? printed : [printed, ...facetFilters.map(printSqon)]);
};

const userOf = ({ state: { subject } }: HttpContext) => {
  if (subject === undefined) return undefined;
  const [issuer, id] = JSON.parse(subject) as (string | null)[];
  return id == null ? undefined : { 'user.issuer': issuer ?? null, 'user.id': id };
};

/** The target of a query: a catalogue, or a network by its name. */
export type AuditTarget = Pick<AuditedQuestion, 'catalogueId' | 'network'>;

/** Audits that a caller was refused before any search; the error is rethrown. */
export const auditedRefusal =
  (audit: AuditFn, target: AuditTarget, kind: AuditedQuestion['kind'] = 'count') =>
  (error: unknown): never => {
    const { code } = asTributaryError(error);
    audit({
      ...{ ...target, kind, nodes: [], tier: null, filters: null, fields: [] },
      ...{ state: code, rows: 0, total: null, tookMs: 0 },
    });
    throw error;
  };
