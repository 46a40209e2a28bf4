import { defineConfig } from 'vite';

export default defineConfig({
  // Packages below the components expect Node's global object.
  define: { global: 'globalThis' },
  build: { chunkSizeWarningLimit: 10_000 },
});
