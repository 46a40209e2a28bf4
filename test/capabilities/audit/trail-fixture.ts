import { createPrivateKey } from 'node:crypto';
import { keyedMac } from '../../../src/lib/runtime/keyed-mac.ts';

/** The keys of a server, the same in every process. */
export const trailKeys = {
  signingKey: createPrivateKey({
    key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), Buffer.alloc(32, 3)]),
    format: 'der',
    type: 'pkcs8',
  }),
  lineMac: keyedMac(Buffer.alloc(32, 1)),
};

/** Where questions are answered although they cannot be written down. */
export const trailFixture = { ...trailKeys, required: false, days: 3_650 };
