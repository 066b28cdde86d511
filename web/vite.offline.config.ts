// Builds the page for offline replays; `endturn play --html` inserts a match into it.

import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig, type Plugin } from 'vite'

const PAGE = (script: string) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>endturn</title>
  </head>
  <body>
    <script id="match" type="text/plain">MATCH</script>
    <script>${script.replaceAll('</script', '<\\/script')}</script>
  </body>
</html>
`

/** Puts the bundle's only script into the page. */
function onePage(): Plugin {
  return {
    name: 'one-page',
    generateBundle(_options, bundle) {
      const script = Object.values(bundle).find((part) => part.type === 'chunk')
      if (script?.type !== 'chunk') throw new Error('The bundle has no script.')
      for (const name of Object.keys(bundle)) delete bundle[name]
      this.emitFile({ type: 'asset', fileName: 'replay.html', source: PAGE(script.code) })
    },
  }
}

export default defineConfig({
  publicDir: false,
  plugins: [svelte({ compilerOptions: { css: 'injected' }, emitCss: false }), onePage()],
  build: {
    outDir: '../src/endturn/server/static',
    emptyOutDir: false,
    target: 'es2022',
    lib: { entry: 'src/offline/main.ts', formats: ['iife'], name: 'endturn', fileName: 'replay' },
  },
})
