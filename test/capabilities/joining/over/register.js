// Has every network that a test opens reach its remote nodes through tunnels: node --import of this file, as
// `npm run test:all -- tunnels` does. The tests are those of nodes with an address, unchanged.
import { registerHooks } from 'node:module';

const tunnelled = new URL('./tunnelled-network.ts', import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) => {
    const resolved = next(specifier, context);
    const isWanted = resolved.url.endsWith('/src/federation/network.ts');
    const isOfTest = context.parentURL?.includes('/test/') && context.parentURL !== tunnelled;
    return isWanted && isOfTest ? { ...resolved, url: tunnelled } : resolved;
  },
});
