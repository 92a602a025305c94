// The builder of the documentation site: what it refuses, and what it makes of links, headings and comments.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { renderSite } from '../scripts/docs-site/render-site.mjs'
import { emptyFolder } from './support/heliograph-process.ts'

// A repository with these files; the menu names the pages given, or all of them.
function repository(files: Record<string, string>, pages = Object.keys(files).filter((file) => file.endsWith('.md'))) {
  const root = emptyFolder()
  const site = JSON.stringify({ sections: [{ title: 'Start', pages }] })
  for (const [file, text] of Object.entries({ ...files, 'docs/site.json': site })) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), text)
  }
  return root
}

const htmlOf = (root: string, path: string) => renderSite(root).find(({ page }) => page.path === path)?.html ?? ''

describe('the build fails', () => {
  test.each([
    ['a link to a missing page', '[x](other.md)', 'links to other.md, which does not exist'],
    ['a link to a missing heading', '[x](b.md#none)', 'links to #none of docs/b.md, which has no such heading'],
    ['a link to a missing heading of the same page', '[x](#none)', 'which has no such heading'],
    ['a missing image', '![x](images/none.png)', 'images/none.png, which does not exist'],
  ])('for %s', (_name, text, reason) => {
    const root = repository({ 'docs/a.md': `# A\n\n${text}\n`, 'docs/b.md': '# B\n' })
    expect(() => renderSite(root)).toThrow(reason)
  })

  test('for a page that the menu does not name', () => {
    const root = repository({ 'docs/a.md': '# A\n', 'docs/b.md': '# B\n' }, ['docs/a.md'])
    expect(() => renderSite(root)).toThrow('docs/site.json does not name docs/b.md')
  })

  test('for a page of the menu that does not exist', () => {
    expect(() => renderSite(repository({ 'docs/a.md': '# A\n' }, ['docs/a.md', 'docs/b.md']))).toThrow('docs/b.md')
  })
})

describe('a page', () => {
  test('links to other pages relatively, from any folder and from the root of the repository', () => {
    const root = repository({
      'docs/README.md': '# Start\n\n[one](decisions/one.md#why-so) [code](../src/x.ts) [security](../SECURITY.md)\n',
      'docs/decisions/one.md': '# One\n\n## Why so?\n\n[start](../README.md)\n',
      'SECURITY.md': '# Security\n\n[start](docs/README.md)\n',
      'src/x.ts': '',
    })
    const start = htmlOf(root, 'index.html')
    expect(start).toContain('href="decisions/one.html#why-so"')
    expect(start).toContain('href="security.html"')
    // The site has no copy of the source, so the link becomes text.
    expect(start).not.toContain('x.ts"')
    expect(htmlOf(root, 'decisions/one.html')).toContain('<a href="../index.html">start</a>')
    expect(htmlOf(root, 'security.html')).toContain('<a href="index.html">start</a>')
  })

  test('numbers headings of the same text, as code-hosting sites do, and leaves comments out', () => {
    const root = repository({
      'docs/a.md': '# A\n\n## See\n\n<!-- not run: secret note -->\n\n## See\n\n[x](#see-1)\n',
    })
    const html = htmlOf(root, 'a.html')
    expect(html).toContain('id="see-1"')
    expect(html).not.toContain('secret note')
  })

  test('shows markup in code as text', () => {
    const html = htmlOf(repository({ 'docs/a.md': '# A\n\n```sh\necho "<script>"\n```\n' }), 'a.html')
    expect(html).toContain('&lt;script&gt;')
    expect(html).not.toContain('<script>"')
  })
})
