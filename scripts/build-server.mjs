// Builds the server from src into dist: few files instead of a thousand modules, because a start spends most of its time on finding
// and reading them. Packages stay outside, except the two that are made of hundreds of modules themselves.
import { chmodSync, rmSync } from 'node:fs'
import { dirname, relative } from 'node:path/posix'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

const root = fileURLToPath(new URL('..', import.meta.url))
const source = `${root}src/`

// Threads are started by the addresses of their files, which are those of the sources.
const ENTRIES = [
  'main',
  'mcp/thread/thread-entry',
  'push/channels/thread-entry',
  'runtime/passkeys/thread-entry',
  'runtime/templates/thread-entry',
]

for (const built of ['chunks', ...ENTRIES.map((name) => `${name}.js`)])
  rmSync(`${root}dist/${built}`, { recursive: true, force: true })

await build({
  root,
  configFile: false,
  publicDir: false,
  logLevel: 'error',
  plugins: [keepAddresses()],
  ssr: { noExternal: ['typebox'] },
  build: {
    ssr: true,
    outDir: 'dist',
    emptyOutDir: false,
    target: 'node22',
    minify: false,
    sourcemap: true,
    // The licences of the packages in the bundle ask for a copy of their text.
    license: { fileName: 'licenses.md' },
    rolldownOptions: {
      input: Object.fromEntries(ENTRIES.map((name) => [name, `${source}${name}.ts`])),
      output: { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
    },
  },
})
// npx links to it, and sets the mode only when it makes the link.
chmodSync(`${root}dist/main.js`, 0o755)

// Modules find files of the installation by their own address. It stays what it is in src, with dist for src, whatever file of
// dist has the module.
function keepAddresses() {
  const mark = (path) => `__ADDRESS_OF__(${JSON.stringify(path)})`
  return {
    name: 'keep-addresses',
    enforce: 'pre',
    transform(code, id) {
      if (!id.startsWith(source) || !code.includes('import.meta.url')) return null
      return { code: code.replaceAll('import.meta.url', mark(id.slice(source.length).replace(/ts$/, 'js'))), map: null }
    },
    renderChunk(code, { fileName }) {
      if (!code.includes('__ADDRESS_OF__')) return null
      const from = dirname(fileName)
      const address = (_, path) => `new URL("${relative(from, path)}", import.meta.url).href`
      return { code: code.replaceAll(/__ADDRESS_OF__\("([^"]+)"\)/g, address), map: null }
    },
  }
}
