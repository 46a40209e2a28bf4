import { connect, createServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { duplexPair } from 'node:stream';
import type { NetworkConfig, NodeConfig } from '../../../../src/federation/config/nodes.ts';
import { tunnelUrl } from '../../../../src/federation/config/nodes.ts';
import { openNetwork as openByAddress } from '../../../../src/federation/network.ts';
import { TunnelDispatcher } from '../../../../src/capabilities/joining/tunnel-dispatcher.ts';

export * from '../../../../src/federation/network.ts';

/** As the original, but each remote node has a tunnel, whose other end sends its requests on to the node's address. */
export const openNetwork: typeof openByAddress = (config, local, settings = {}, before = null) => {
  const tunnels = new Map<string, ReturnType<typeof tunnelTo>>();
  const through = (wanted: NetworkConfig): NetworkConfig => ({
    ...wanted,
    nodes: wanted.nodes.map((node) => dialled(node, tunnels)),
  });
  const tunnelled = { ...settings, tunnelTo: (nodeId: string) => tunnels.get(nodeId)! };
  const network = openByAddress(through(config), local, tunnelled, before);
  return {
    ...network,
    close: async () => {
      await network.close();
      for (const { close } of tunnels.values()) close();
    },
  };
};

const dialled = (node: NodeConfig, tunnels: Map<string, ReturnType<typeof tunnelTo>>): NodeConfig => {
  if (node.source.kind === 'local' || !URL.canParse(node.source.graphqlUrl)) return node;
  tunnels.set(node.nodeId, tunnelTo(new URL(node.source.graphqlUrl)));
  // the address stays part of the entry, so that a changed one is a changed node
  const key = node.source.graphqlUrl;
  return { ...node, source: { ...node.source, graphqlUrl: tunnelUrl, dialsIn: { key } } };
};

const tunnelTo = (address: URL) => {
  const dispatcher = new TunnelDispatcher();
  const [here, there] = duplexPair();
  const server = createServer({ settings: { initialWindowSize: 256 * 1024 } }, sendOn(address));
  server.emit('connection', there);
  const session = connect('http://member', { createConnection: () => here });
  session.on('error', () => undefined);
  session.unref();
  dispatcher.use(session);
  return {
    dispatcher,
    isConnected: () => true,
    absence: () => '',
    onChange: () => () => undefined,
    close: () => session.destroy(),
  };
};

const sendOn = (address: URL) => (received: Http2ServerRequest, response: Http2ServerResponse) => {
  const send = address.protocol === 'https:' ? httpsRequest : httpRequest;
  const headers = Object.fromEntries(
    Object.entries(received.headers).filter(([name]) => !name.startsWith(':')),
  );
  const sent = send(address, { method: received.method, headers }, (answer: IncomingMessage) => {
    const kept = Object.entries(answer.headers).filter(([name]) => !ofConnections.has(name));
    response.writeHead(answer.statusCode!, Object.fromEntries(kept) as Record<string, string>);
    answer.pipe(response);
    answer.once('error', () => response.stream.close(2));
  });
  sent.once('error', () => response.stream.close(2));
  response.once('close', () => sent.destroy());
  received.pipe(sent);
};

const ofConnections = new Set(['connection', 'keep-alive', 'transfer-encoding', 'upgrade']);
