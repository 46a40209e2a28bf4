import { RequestContext, thisServer, Trace, type Caller } from '../../src/search/request-context.ts';

/** A caller who may see everything, but for these rights. */
const callerWith = (rights: Partial<Caller> = {}): Caller => ({ ...thisServer, ...rights });

/** The context of a request without a deadline, a client to disconnect or a cost limit. */
export const contextFor = (rights: Partial<Caller> = {}, trace = new Trace()): RequestContext =>
  new RequestContext({ requestId: 'r1', caller: callerWith(rights), trace });
