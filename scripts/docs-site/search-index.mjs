// The search index: one entry per section of a page, built once and loaded by the browser at the first search.
import MiniSearch from 'minisearch'
import { plainText } from './markdown.mjs'
import { SEARCH_OPTIONS } from './search-options.mjs'

// The section for people who change the code; its pages are found after the others.
const INSIDE = 'Inside'

// A classic script and not JSON: browsers refuse to fetch a file from a page that was opened from the disk.
export function searchIndexScript(rendered) {
  const search = new MiniSearch(SEARCH_OPTIONS)
  search.addAll(rendered.flatMap(sectionsOf))
  return `globalThis.heliographSearchIndex = ${JSON.stringify(JSON.stringify(search))}\n`
}

function sectionsOf({ page, headings }) {
  const parts = splitAtHeadings(page.source)
  return parts.map(({ text }, index) => {
    const heading = headings[index]
    const href = index === 0 ? page.path : `${page.path}#${heading.id}`
    const weight = page.section === INSIDE ? 0.05 : 1
    return { id: href, title: page.title, heading: index === 0 ? '' : heading.text, text: plainText(text), weight }
  })
}

// A "#" inside a fenced block is a comment of a shell, not a heading.
function splitAtHeadings(source) {
  const parts = []
  let isInFence = false
  for (const line of source.split('\n')) {
    if (/^\s*```/.test(line)) isInFence = !isInFence
    if (!isInFence && /^#{1,6} /.test(line)) parts.push({ text: '' })
    else if (parts.length > 0) parts[parts.length - 1].text += `${line}\n`
  }
  return parts
}
