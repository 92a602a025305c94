// Everything that we ship may be used, changed and passed on by anyone: the dependencies of an installation, and the packages
// that are bundled into the console and the command line, whose licence texts are shipped beside them.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { lockedPackages } from './lock-file.ts'

// SPDX names. A new licence is added here after someone has read it.
const PERMISSIVE = [
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
]

// Used as they are, in files of their own: the Mozilla Public License asks that changes of its files are published, the Open Font
// License that fonts are not sold by themselves.
const UNCHANGED = ['MPL-2.0', 'OFL-1.1']

// Of alternatives, one suffices.
const isPermissive = (licence = '') =>
  licence
    .replace(/[()]/g, '')
    .split(' OR ')
    .some((one) => PERMISSIVE.includes(one))

test('every dependency of an installation has a permissive licence', () => {
  const shipped = lockedPackages().filter(({ isForDevelopment }) => !isForDevelopment)
  expect(shipped.length).toBeGreaterThan(50)
  const asked = shipped.filter(({ licence = '' }) => !UNCHANGED.includes(licence))
  expect(asked.filter(({ licence }) => !isPermissive(licence))).toEqual([])
})

const inCommandLine = ['-xzOf', 'dist/clients/heliograph-cli.tgz', 'package/licenses.md']

test.each([
  ['the console', readFileSync('dist/console/licenses.md', 'utf8'), ['preact', 'preact-iso', '@preact/signals', 'qr']],
  ['the process that draws pictures', readFileSync('dist/pictures/licenses.md', 'utf8'), ['preact', 'bidi-js']],
  ['the command line', execFileSync('tar', inCommandLine, { encoding: 'utf8' }), ['commander', 'qr']],
])('every package in %s has a permissive licence, whose text is shipped', (_where, document, some) => {
  const texts = document.split(/^## (?=\S+ - \S+ \()/m).slice(1)
  const bundled = texts.map((text) => /^(\S+) - \S+ \((.*)\)\n\n(?=\S)/.exec(text)?.slice(1) ?? [text])
  expect(bundled.map(([name]) => name)).toEqual(expect.arrayContaining(some))
  expect(bundled.filter(([, licence]) => !isPermissive(licence))).toEqual([])
})

test('every font that is copied into the package has its licence beside it', () => {
  const files = readdirSync('dist/pictures/fonts')
  const fonts = new Set(files.filter((file) => file.endsWith('.woff')).map((file) => file.replace(/-\d+\.woff$/, '')))
  expect(fonts.size).toBeGreaterThan(3)
  for (const font of fonts) {
    expect(readFileSync(`dist/pictures/fonts/${font}.LICENSE.txt`, 'utf8')).toContain('SIL Open Font License')
  }
})
