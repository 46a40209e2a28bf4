import { createHmac } from 'node:crypto';
import { BlockList, isIPv6 } from 'node:net';
import type { AuditTrail } from '../../access/audit/audit-trail.ts';
import { asTributaryError } from '../../errors/errors.ts';
import type { AuditedQuestion, AuditFn } from '../../search/request-context.ts';
import { printSqon } from '../../sqon/parse.ts';
import type { HttpContext, Middleware } from '../koa/http-context.ts';
import { carryAudit } from '../koa/http-context.ts';
import { addressOf } from './caller-budgets.ts';

/** The trail that questions are written to. */
export interface AuditParts {
  readonly trail: AuditTrail;
  /** The key that filters are named under; null: they are written whole. */
  readonly queryKey: Uint8Array | null;
}

/**
 * Writes a line for each question that a request puts to a catalogue, before its answer leaves: who asked what, never
 * the answer nor a token. The keys are those of the Elastic Common Schema where it has some.
 */
export const auditQuestions =
  (parts: AuditParts | undefined, trustedProxies: number): Middleware =>
  async (context, next) => {
    carryAudit(context, parts === undefined ? null : writer(context, parts, trustedProxies));
    await next();
  };

const writer = (context: HttpContext, { trail, queryKey }: AuditParts, trustedProxies: number): AuditFn => {
  const known = new Set<string>();
  return (question) => {
    const query = JSON.stringify(printSqon(question.filters));
    const door = doorOf(context.path);
    // the pages of a download are one question
    const name = JSON.stringify([question.catalogueId, question.tier, question.state, query]);
    if (door.endsWith('download') && known.has(name)) return;
    known.add(name);
    trail.write({
      ...kindOf(question, door),
      'event.duration': Math.round(question.tookMs * 1e6),
      ...callerOf(context, trustedProxies),
      'tributary.catalogue': question.catalogueId,
      'tributary.tier': question.tier,
      'tributary.door': door,
      'tributary.query':
        queryKey === null ? query : createHmac('sha256', queryKey).update(query).digest('hex'),
      'tributary.fields': [...question.fields],
    });
  };
};

const doorOf = (path: string): string => {
  const door = /\/(stream|download)(\/|$)/.exec(path)?.[1] ?? 'graphql';
  return /\/network\//.test(path) ? `network ${door}` : door;
};

const kindOf = ({ state, wantsRows, rows, total }: AuditedQuestion, door: string) => {
  const isDownload = door.endsWith('download');
  return {
    'event.action': isDownload ? 'download' : wantsRows ? 'rows' : 'count',
    'event.outcome': state === 'ok' ? 'success' : 'failure',
    ...(state !== 'ok' && { 'error.code': state }),
    'tributary.rows': state === 'ok' && isDownload ? (total ?? rows) : rows,
  };
};

const callerOf = (context: HttpContext, trustedProxies: number) => {
  const { subject, requestId } = context.state;
  const [issuer = null, id = null] = subject === undefined ? [] : (JSON.parse(subject) as (string | null)[]);
  const isHub = context.get('tributary-node') === '1';
  return {
    ...(id !== null && { 'user.issuer': issuer, 'user.id': id }),
    'client.class': addressClass(addressOf(context, trustedProxies)),
    'http.request.id': requestId,
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

/**
 * Writes down that a caller was refused before any search; the error is passed on.
 * @param catalogueId null for a network
 */
export const auditedRefusal =
  (
    audit: ((question: AuditedQuestion) => void) | undefined,
    catalogueId: string | null,
  ): ((error: unknown) => never) =>
  (error) => {
    const { code } = asTributaryError(error);
    if (catalogueId === null) throw error;
    audit?.({
      ...{ catalogueId, tier: null, filters: null, fields: [], state: code },
      ...{ wantsRows: false, rows: 0, total: null, tookMs: 0 },
    });
    throw error;
  };
