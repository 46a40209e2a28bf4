import localesPlugin from '@react-aria/optimize-locales-plugin';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { outlinePlugin } from './outline.js';

/** The languages that React Aria's own words are bundled in; Arabic for the right-to-left test. */
const locales = ['en-US', 'fr-FR', 'de-DE', 'ar-AE'];

/** What the first script and the pages share, which queries and draws nothing. */
const querying =
  /queryOptions|src\/(sqon|introspection|lib)\/|portal\/src\/(api\/(answer|busy|catalogue|extents|fields|filter|lack|queries|questions|read-answer|server|session|soon)|look\/honest)/;
/** What the pages share and the first script does not need. */
const drawing =
  /portal\/src\/(api\/(use-|nouns|units|counts)|frame\/|images\/images|i18n\/folded|cohorts\/kept|explore\/(notes|gone|facets\/value-row)|look\/(arrow|counted|coverage|icons|node-colours|tick|trouble|use-narrow|value-text|withheld)|state\/(edit|use-))/;

export default defineConfig({
  // pages are served under whatever prefix a proxy adds
  base: './',
  root: import.meta.dirname,
  logLevel: 'warn',
  plugins: [react(), outlinePlugin(), { ...localesPlugin.vite({ locales }), enforce: 'pre' }],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    assetsDir: 'portal/assets',
    assetsInlineLimit: 0,
    // the server names what each page needs, in its head
    manifest: 'manifest.json',
    modulePreload: { polyfill: false },
    target: 'es2022',
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        // what pages share comes with what draws them: a dozen files of a few lines each wait for each other's turn
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            { name: 'querying', test: querying, minShareCount: 2 },
            { name: 'shared', test: drawing, minShareCount: 2 },
          ],
        },
      },
    },
  },
});
