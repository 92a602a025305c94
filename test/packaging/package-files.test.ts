// What `npm pack` ships: the files that the program reads, and no sources, tests or build products of the compiler.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'

const [{ files }]: [{ files: { path: string; mode: number }[] }] = JSON.parse(
  // Without scripts: the list is made of the dist that is there.
  execFileSync('npm', ['pack', '--dry-run', '--json', '--silent', '--ignore-scripts'], { encoding: 'utf8' }),
)
const paths = files.map(({ path }) => path)

test('the package has what the program reads, and the documents that belong to every package', () => {
  expect(paths).toEqual(
    expect.arrayContaining([
      'dist/main.js',
      'dist/heliograph.1',
      'dist/clients/SHA256SUMS',
      'dist/clients/heliograph-cli.tgz',
      'dist/push/channels/thread-entry.js',
      'dist/console/index.html',
      'dist/console/service-worker.js',
      'dist/console/licenses.md',
      'dist/pictures/process.js',
      'dist/pictures/fonts/noto-emoji-400.woff',
      'dist/pictures/fonts/noto-emoji.LICENSE.txt',
      'dist/docs/index.html',
      'dist/docs/licenses.md',
      'dist/docs/search-index.js',
      'openapi.json',
      'package.json',
      'README.md',
      'CHANGELOG.md',
      'LICENSE',
    ]),
  )
})

test('the package has nothing else', () => {
  const served = /^dist\/(?:clients\/|pictures\/fonts\/|.+\.(?:js|css|html|json|svg|png|webmanifest|md|br|gz|1)$)/
  const other = paths.filter((path) => !served.test(path))
  expect(other.sort()).toEqual(['CHANGELOG.md', 'LICENSE', 'README.md', 'openapi.json', 'package.json'])
})

test('the program may be executed', () => {
  expect(files.find(({ path }) => path === 'dist/main.js')?.mode).toBe(0o755)
})

test('the command line that servers hand out loads no schemas, which would take longer than a command', () => {
  const text = gunzipSync(readFileSync('dist/clients/heliograph-cli.tgz')).toString('latin1')
  expect(text).toContain('node_modules/commander')
  expect(text).not.toMatch(/node_modules\/(typebox|ajv)/)
})
