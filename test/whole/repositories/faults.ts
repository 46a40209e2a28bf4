import type { ServerResponse } from 'node:http';

/** A way to answer badly. */
export type Fault =
  | { readonly kind: 'status'; readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  /** The connection ends in the middle of the body. */
  | { readonly kind: 'cut' }
  /** Calls itself JSON, ends before the document does. */
  | { readonly kind: 'garbage' }
  /** A page for people, with status 200. */
  | { readonly kind: 'html' }
  /** JSON of another shape than was requested. */
  | { readonly kind: 'shape' }
  /** A body of some bytes now and then that never ends. */
  | { readonly kind: 'drip'; readonly everyMs: number }
  /** Nothing at all. */
  | { readonly kind: 'hang' }
  | { readonly kind: 'redirect'; readonly location: string }
  /** A body of this many bytes. */
  | { readonly kind: 'huge'; readonly bytes: number };

/** Answers with the fault. The caller has left the response alone. */
export const misbehave = (fault: Fault, response: ServerResponse): void => {
  switch (fault.kind) {
    case 'status':
      response.writeHead(fault.status, { 'content-type': 'application/json', ...fault.headers });
      return void response.end(JSON.stringify({ message: 'something is wrong here' }));
    case 'cut':
      response.writeHead(200, { ...json, 'content-length': '1000' });
      return void response.write('{"anything": [', () => response.destroy());
    case 'garbage':
      return void response.writeHead(200, json).end('{"anything": [{"id": ');
    case 'html':
      return void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Sign in</html>');
    case 'shape':
      return void response.writeHead(200, json).end('{"anything": []}');
    case 'drip':
      return drip(fault.everyMs, response);
    case 'hang':
      return;
    case 'redirect':
      return void response.writeHead(302, { location: fault.location }).end();
    case 'huge':
      return void response.writeHead(200, json).end(`{"anything": "${'x'.repeat(fault.bytes)}"}`);
  }
};

const json = { 'content-type': 'application/json' };

const drip = (everyMs: number, response: ServerResponse): void => {
  response.writeHead(200, json);
  // the client may be gone already, so that no close will follow
  const timer = setInterval(() => {
    if (response.destroyed) clearInterval(timer);
    else response.write(' ');
  }, everyMs);
};
