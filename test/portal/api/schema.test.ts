import { readFileSync } from 'node:fs';
import test from 'ava';
import { portalTypes } from '../../../scripts/portal-types.ts';

test('the types of the portal are those of the schema: npm run portal:types writes them', (t) => {
  const written = readFileSync(new URL('../../../portal/src/api/schema.ts', import.meta.url), 'utf8');
  t.is(written, portalTypes());
});
