// Builds the process that draws pictures into dist/pictures: the cards of the console with their style sheets, for Node. The
// library that lays them out, the one that makes pixels and the fonts of most letters are packages of the installation; of further fonts,
// whose packages are large, only the files that are used are copied, with their licences.
import { copyFileSync, mkdirSync } from 'node:fs'
import { createRequire } from 'node:module'
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
  ssr: { noExternal: [/^preact/, /^@preact/, 'bidi-js'] },
})

const FONTS = {
  'noto-sans-arabic': ['arabic', [400, 600, 700]],
  'noto-sans-hebrew': ['hebrew', [400, 600, 700]],
  'noto-sans-thai': ['thai', [400, 600, 700]],
  'noto-emoji': ['emoji', [400]],
  'noto-sans-math': ['latin', [400]],
  'noto-sans-symbols-2': ['symbols', [400]],
}

const { resolve } = createRequire(import.meta.url)
const folder = fileURLToPath(new URL('../dist/pictures/fonts', import.meta.url))
mkdirSync(folder, { recursive: true })
for (const [name, [script, weights]] of Object.entries(FONTS)) {
  for (const weight of weights) {
    const file = resolve(`@fontsource/${name}/files/${name}-${script}-${weight}-normal.woff`)
    copyFileSync(file, `${folder}/${name}-${weight}.woff`)
  }
  copyFileSync(resolve(`@fontsource/${name}/LICENSE`), `${folder}/${name}.LICENSE.txt`)
}
