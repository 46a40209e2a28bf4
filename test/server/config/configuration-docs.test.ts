import { readFileSync } from 'node:fs';
import test from 'ava';
import { missingClaims } from '../../../scripts/claims.ts';
import { configurationDocs } from '../../../scripts/configuration-docs.ts';
import { catalogueContent } from '../../../src/server/config/catalogue/catalogue-files.ts';
import { variables } from '../../../src/server/config/variables.ts';

const written = readFileSync(new URL('../../../docs/configuration.md', import.meta.url), 'utf8');

test('docs/configuration.md matches the schemas: npm run docs writes it', (t) => {
  t.is(written, configurationDocs());
});

test('every variable and every key of a catalogue has a line', (t) => {
  const missing = [...Object.keys(variables.shape), ...Object.keys(catalogueContent.shape)].filter(
    (name) => !written.includes(`\n| \`${name}\` |`),
  );
  t.deepEqual(missing, []);
});

test('every claim of README and docs has a test or a bench that is there: scripts/claims.ts lists them', (t) => {
  t.deepEqual(missingClaims(), []);
});
