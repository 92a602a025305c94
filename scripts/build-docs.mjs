// Builds the documentation site into dist/docs: a page per Markdown file that docs/site.json names, a search index, one
// script and one style sheet. Broken links, missing anchors and pages outside the menu fail the build.
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { renderSite } from './docs-site/render-site.mjs'
import { searchIndexScript } from './docs-site/search-index.mjs'
import { precompress } from './precompress.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const outDir = join(root, 'dist/docs')
// The browsers that the console supports; see build-console.mjs.
const target = ['chrome123', 'firefox121', 'safari17.5']

try {
  await buildSite()
} catch (error) {
  console.error(`documentation: ${error.message}`)
  process.exit(1)
}

async function buildSite() {
  const rendered = renderSite(root)
  rmSync(outDir, { recursive: true, force: true })
  for (const { page, html } of rendered) write(page.path, html)
  write('search-index.js', searchIndexScript(rendered))
  write('pages.json', JSON.stringify(rendered.flatMap(({ page }) => resourceOf(page))))
  cpSync(join(root, 'docs/images'), join(outDir, 'images'), { recursive: true })
  for (const name of ['icon.svg', 'theme.js']) cpSync(join(root, 'console/public', name), join(outDir, name))
  await bundle()
  // The best quality takes three times as long, for 3 % fewer bytes.
  precompress(outDir, 10)
}

// The Markdown of the pages for users, which agents read as resources of /mcp. Pages about the code are left out.
function resourceOf({ path, title, section, source }) {
  const name = path.replace(/\.html$/, '').replace(/^index$/, 'overview')
  return section === 'Inside' ? [] : [{ name, title, text: source }]
}

// A classic script, so that the pages also work when they are opened from the disk.
function bundle() {
  return build({
    root: join(root, 'scripts/docs-site/browser'),
    configFile: false,
    logLevel: 'error',
    build: {
      outDir,
      emptyOutDir: false,
      target,
      cssTarget: target,
      // The licences of the packages in the bundle ask for a copy of their text.
      license: { fileName: 'licenses.md' },
      // Otherwise the script would add the styles, after the first paint.
      cssCodeSplit: false,
      rolldownOptions: {
        input: join(root, 'scripts/docs-site/browser/site.js'),
        output: { format: 'iife', entryFileNames: 'site.js', assetFileNames: 'site.[ext]' },
      },
    },
  })
}

function write(path, text) {
  const file = join(outDir, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}
