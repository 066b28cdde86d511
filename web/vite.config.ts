// Builds the client into the Python package; the server serves it from there.
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vitest/config'

const server = process.env.ENDTURN_SERVER ?? 'http://127.0.0.1:8000'

export default defineConfig({
  base: './', // works under any path
  plugins: [svelte()],
  build: { outDir: '../src/endturn/server/static', emptyOutDir: true, target: 'es2022', chunkSizeWarningLimit: 900 },
  server: { proxy: { '/api': { target: server, ws: true } } },
  test: { include: ['tests/**/*.test.ts'], environment: 'node' },
})
