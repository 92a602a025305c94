// Builds the process that draws pictures into dist/pictures: the cards of the console with their style sheets, for Node. The
// library that lays them out, the one that makes pixels and the fonts are packages of the installation.
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

const root = fileURLToPath(new URL('../console', import.meta.url))

await build({
  root,
  configFile: false,
  publicDir: false,
  logLevel: 'error',
  build: {
    ssr: 'src/pictures/process.ts',
    outDir: fileURLToPath(new URL('../dist/pictures', import.meta.url)),
    emptyOutDir: true,
    target: 'node22',
    // The licences of the packages in the bundle ask for a copy of their text.
    license: { fileName: 'licenses.md' },
    rollupOptions: { output: { entryFileNames: 'process.js' } },
  },
  ssr: { noExternal: [/^preact/, /^@preact/] },
})
