import localesPlugin from '@react-aria/optimize-locales-plugin';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { outlinePlugin } from './outline.js';

/** The languages that React Aria's own words are bundled in; Arabic for the right-to-left test. */
const locales = ['en-US', 'fr-FR', 'de-DE', 'ar-AE'];

/** What the pages share and the first script does not need, which only asks. */
const drawing =
  /portal\/src\/(api\/(use-|answer|field-names)|frame\/|look\/(coverage|honest|node-colours|withheld)|state\/(edit|use-))/;

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
          groups: [{ name: 'shared', test: drawing, minShareCount: 2 }],
        },
      },
    },
  },
});
