// The pages of the documentation site: docs/site.json names them in the order of the menu. Every Markdown file of docs/
// must be a page, so that none is forgotten.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

// Returns the pages in reading order, each as { file, path, title, section, isInMenu, source }. `root` is the folder of the
// repository.
export function readSite(root) {
  const { sections } = JSON.parse(readFileSync(join(root, 'docs/site.json'), 'utf8'))
  const pages = sections.flatMap(({ title: section, pages }) =>
    pages.flatMap((entry) => pagesOf(root, section, typeof entry === 'string' ? { file: entry } : entry)),
  )
  const files = new Set(pages.map(({ file }) => file))
  const orphans = markdownIn(root, 'docs').filter((file) => !files.has(file))
  if (orphans.length > 0) throw new Error(`docs/site.json does not name ${orphans.join(', ')}`)
  return pages
}

// An entry with `records` brings every numbered page of its folder too; they are reached through it, not by the menu.
function pagesOf(root, section, { file, title, records }) {
  if (!existsSync(join(root, file))) throw new Error(`docs/site.json names ${file}, which does not exist`)
  const page = readPage(root, section, { file, title, isInMenu: true })
  if (!records) return [page]
  const folder = posix.dirname(file)
  const names = readdirSync(join(root, folder)).filter((name) => /^\d.*\.md$/.test(name))
  return [page, ...names.sort().map((name) => readPage(root, section, { file: `${folder}/${name}`, isInMenu: false }))]
}

function readPage(root, section, { file, title, isInMenu }) {
  const source = readFileSync(join(root, file), 'utf8')
  const heading = /^# (.+)$/m.exec(source)?.[1]
  if (!heading) throw new Error(`${file} has no title: a line that starts with "# "`)
  return { file, path: pathOf(file), title: title ?? heading, section, isInMenu, source }
}

// docs/decisions/README.md → decisions/index.html, the index of its folder; pages of the repository's root are written in lower
// case.
function pathOf(file) {
  const inDocs = file.startsWith('docs/') ? file.slice('docs/'.length) : file.toLowerCase()
  return inDocs.replace(/README\.md$/, 'index.md').replace(/\.md$/, '.html')
}

function markdownIn(root, folder) {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => posix.join(folder, name.replaceAll('\\', '/')))
}
