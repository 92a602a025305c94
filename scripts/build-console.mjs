// Builds the console into dist/console: first the application, then the service worker, which holds the list of the
// application's files to cache for offline use, then the compressed variants of all files.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { precompress } from './precompress.mjs'

const root = fileURLToPath(new URL('../console', import.meta.url))
const outDir = fileURLToPath(new URL('../dist/console', import.meta.url))
// Browsers from 2024 on, which support light-dark(), nesting and the other CSS of the console.
const target = ['chrome123', 'firefox121', 'safari17.5']
const common = { root, configFile: false, logLevel: 'error', base: '/app/' }

// main.tsx imports the application once it knows the language. The browser fetches it before, beside main.tsx.
const preloadApplication = {
  name: 'preload-application',
  transformIndexHtml: {
    order: 'post',
    handler: (_html, { bundle }) => {
      const start = Object.values(bundle).find(({ name }) => name === 'application')
      return (
        [start.fileName, ...start.imports]
          // Vite preloads what the entry imports itself.
          .filter((file) => !bundle[file].isEntry)
          .map((file) => ({
            tag: 'link',
            injectTo: 'head',
            attrs: { rel: 'modulepreload', crossorigin: true, href: `/app/${file}` },
          }))
      )
    },
  },
}

// What the first page needs is one file for everybody, one for the signed-out and one for signed-in people, besides the entry and
// the language, which is chosen before any text is read. By default, each set of modules that several pages share is a file of its
// own: about thirty requests for the first page.
const closureOf = (modules, entry) => {
  const found = new Set()
  const add = (id) => {
    if (found.has(id)) return
    found.add(id)
    for (const imported of modules.getModuleInfo(id)?.importedIds ?? []) add(imported)
  }
  add(join(root, entry))
  return found
}
const closuresOf = (modules) => ({
  before: closureOf(modules, 'src/main.tsx'),
  translation: closureOf(modules, 'src/german.ts'),
  start: closureOf(modules, 'src/start.tsx'),
  signedOut: closureOf(modules, 'src/sign-in/ways-in.tsx'),
  signedIn: closureOf(modules, 'src/signed-in.tsx'),
  firstSteps: closureOf(modules, 'src/first-run/checklist.tsx'),
  notification: closureOf(modules, 'src/inbox/detail.tsx'),
})
let closures
const chunkOf = (id, modules) => {
  closures ??= closuresOf(modules)
  const { before, translation, start, signedOut, signedIn, firstSteps, notification } = closures
  if (before.has(id)) return 'main'
  // What a translation shares with the pages: in a file of the pages, it would load them before the language is set.
  if (translation.has(id) && (start.has(id) || signedIn.has(id))) return 'main'
  if (start.has(id) || (signedOut.has(id) && signedIn.has(id))) return 'application'
  // The parts of pages: in the file of the signed-out, other pages would load that with them.
  if (signedOut.has(id)) return id.includes('/src/ui/') ? 'application' : 'signed-out'
  if (signedIn.has(id)) return 'signed-in'
  // What the first steps and the open notification share with other pages is less than a file is worth.
  if (firstSteps.has(id))
    return /\/(?:first-run\/|german\/first-run|texts\/first-run)/.test(id) ? 'first-steps' : 'signed-in'
  return notification.has(id) && id.includes('/src/ui/') ? 'signed-in' : null
}

await build({
  ...common,
  plugins: [preloadApplication],
  build: {
    outDir,
    emptyOutDir: true,
    target,
    cssTarget: target,
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    // The licences of the packages in the bundle ask for a copy of their text.
    license: { fileName: 'licenses.md' },
    rolldownOptions: {
      output: { codeSplitting: { includeDependenciesRecursively: false, groups: [{ name: chunkOf }] } },
    },
  },
})

const files = readdirSync(outDir, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.(?:html|js|css|svg|webmanifest)$/.test(file))
  .sort()
// Changes with any file, so that the browser installs a new service worker.
const version = createHash('sha256')
for (const file of files) version.update(file).update(readFileSync(join(outDir, file)))

await build({
  ...common,
  publicDir: false,
  define: {
    SHELL_FILES: JSON.stringify(files.map((file) => `/app/${file === 'index.html' ? '' : file}`)),
    SHELL_VERSION: JSON.stringify(version.digest('hex').slice(0, 12)),
  },
  build: {
    outDir,
    emptyOutDir: false,
    target,
    rolldownOptions: {
      input: join(root, 'src/worker/service-worker.ts'),
      output: { format: 'iife', entryFileNames: 'service-worker.js' },
    },
  },
})

precompress(outDir)
