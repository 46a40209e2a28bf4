import { createHash } from 'node:crypto';
import { TributaryError } from '../../lib/errors/errors.ts';
import type { DoorModule, Entrance } from '../../server/http/doors/door.ts';
import { methodNotAllowed, type HttpContext } from '../../server/http/koa/http-context.ts';
import {
  catalogId,
  describeCatalog,
  describeDataset,
  describeDistribution,
  describePoint,
} from './describe-dataset.ts';
import { asJsonLd, asTurtle, type Resource } from './statements.ts';

/** A FAIR Data Point: describes for harvesters what can be searched here. */
export const { serve, errorBody }: DoorModule<Entrance> = {
  serve: async (context, entrance) => {
    if (context.method !== 'GET' && context.method !== 'HEAD') throw methodNotAllowed(context, 'GET');
    context.vary('accept');
    const type = context.accepts(['text/turtle', 'application/ld+json', 'application/json']) || 'text/turtle';
    const resources = await resourcesAt(entrance);
    const body = type === 'text/turtle' ? await asTurtle(resources) : JSON.stringify(asJsonLd(resources));
    context.set('cache-control', 'private, no-cache');
    context.set('link', '<http://www.w3.org/ns/ldp#Resource>; rel="type"');
    context.etag = createHash('sha256').update(body).digest('base64url').slice(0, 22);
    context.status = 200;
    if (context.fresh) context.status = 304;
    else send(context, type === 'text/turtle' ? type : 'application/ld+json', body);
  },
  errorBody: (error) => ({ error }),
};

const send = (context: HttpContext, type: string, body: string): void => {
  context.body = body;
  context.set('content-type', `${type}; charset=utf-8`);
};

/** The resources that a path describes. @throws TributaryError NOT_FOUND */
const resourcesAt = async (entrance: Entrance): Promise<readonly Resource[]> => {
  const [kind, ...rest] = entrance.path;
  // the id of a catalogue's network has a slash
  const id = rest.length === 0 ? undefined : rest.join('/');
  if (kind === undefined) return describePoint(entrance);
  if (kind === 'catalog' && (id === undefined || id === catalogId)) return describeCatalog(entrance);
  if (id === undefined || (kind !== 'dataset' && kind !== 'distribution')) throw nothing(entrance);
  // a data set that is closed to the caller is refused here
  const visit = await entrance.open(id);
  const listed = entrance.list.find((one) => one.id === id)!;
  const describe = kind === 'dataset' ? describeDataset : describeDistribution;
  return describe(entrance, listed, visit);
};

const nothing = ({ url }: Entrance): TributaryError =>
  new TributaryError('NOT_FOUND', `there is nothing here: ${url}/catalog/${catalogId} lists what is`);
