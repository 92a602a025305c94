// The packed package on a bare machine: it installs without development dependencies, serves with the console built in, and
// says which Node.js it needs where that is missing.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { expect, test } from 'vitest'
import { OLDEST_NODE, VERSION } from '../../src/runtime/version.ts'
import { lockedPackages } from '../packaging/lock-file.ts'
import { createClient } from '../support/client.ts'
import { emptyFolder, startHeliograph } from '../support/heliograph-process.ts'
import { useInstalledPackage } from './installed-package.ts'
import { report, reportWithGoal, secondsSince } from './measures.ts'

const FIRST_NOTIFICATION_SECONDS = 30

const installed = useInstalledPackage()

test('the program runs by its name and has the version of package.json', () => {
  expect(execFileSync(installed().program, ['--version'], { encoding: 'utf8' }).trim()).toBe(VERSION)
})

test('no development dependency is installed', () => {
  const namesWhere = (forDevelopment: boolean) =>
    lockedPackages()
      .filter(({ isForDevelopment }) => isForDevelopment === forDevelopment)
      .map(({ name }) => name)
  const needed = new Set(namesWhere(false))
  const development = namesWhere(true).filter((name) => !needed.has(name))
  expect(development.length).toBeGreaterThan(50)
  expect(development.filter((name) => existsSync(join(installed().folder, 'node_modules', name)))).toEqual([])
})

test(`a first notification is accepted within ${FIRST_NOTIFICATION_SECONDS} s of the start of the installation`, async () => {
  const { program, installSeconds, tarballMegabytes, installedMegabytes } = installed()
  const startedAt = performance.now()
  const server = await startHeliograph(['serve'], { main: program, environment: { HELIOGRAPH_PORT: '0' } })
  const key = /hlk_\S+/.exec(server.output())?.[0] ?? ''
  const sent = await createClient(server.url).post('/notifications', { title: 'First', body: 'It works.' }, key)
  expect(sent.status).toBe(201)
  report('packed package', tarballMegabytes, 'MB')
  report('installed with dependencies', installedMegabytes, 'MB')
  const seconds = installSeconds + secondsSince(startedAt)
  reportWithGoal('from npm install -g to the first notification', seconds, FIRST_NOTIFICATION_SECONDS)
})

test.each([
  ['docs/install.md', /about (?<tarball>[\d.]+) MB, and (?<installed>[\d.]+) MB with its dependencies/],
  ['docs/comparison.md', /Node\.js and (?<installed>\d+) MB of packages/],
  ['README.md', /\*\*Node\.js\*\*, (?<installed>\d+) MB/],
])('%s tells the size of the installed package within 15 %%', (page, figures) => {
  const { tarballMegabytes, installedMegabytes } = installed()
  const told = figures.exec(readFileSync(page, 'utf8'))?.groups
  const tarball = Number(told?.tarball ?? tarballMegabytes) / tarballMegabytes
  const shares = [Number(told?.installed) / installedMegabytes, tarball]
  expect(shares.filter((share) => !(Math.abs(share - 1) < 0.15))).toEqual([])
})

test('the console, the documentation and the API description are served from the package', async () => {
  const server = await startHeliograph(['serve'], {
    main: installed().program,
    environment: { HELIOGRAPH_PORT: '0' },
  })
  const page = await fetch(`${server.url}/app/`)
  const html = await page.text()
  expect([page.status, html]).toEqual([200, expect.stringContaining('<title>Heliograph</title>')])
  const files = [...html.matchAll(/(?:src|href)="(\/app\/[^"]+)"/g)].map(([, path]) => String(path))
  expect(files.length).toBeGreaterThan(2)
  for (const path of [
    ...files,
    '/app/service-worker.js',
    '/docs/',
    '/docs/api',
    '/openapi.json',
    '/openapi.yaml',
    '/icons/house.svg',
    '/clients/heliograph-cli.tgz',
  ]) {
    expect([path, (await fetch(server.url + path)).status]).toEqual([path, 200])
  }
})

const oldNode = findOldNode()

test.skipIf(!oldNode)('on a Node.js that is too old the program names the version it needs, in one line', () => {
  const { status, stdout, stderr } = spawnSync(String(oldNode), [installed().program, 'serve'], {
    cwd: emptyFolder(),
    encoding: 'utf8',
  })
  expect([status, stdout]).toEqual([1, ''])
  expect(stderr).toMatch(new RegExp(`^heliograph: Node.js ${OLDEST_NODE} or newer is needed, and this is .*\\n$`))
})

// The machine's own Node.js, outside this checkout, if this program does not support it.
function findOldNode(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'))
  return folders
    .map((folder) => join(folder, 'node'))
    .filter((path) => existsSync(path))
    .find((path) => {
      const version = execFileSync(path, ['--version'], { encoding: 'utf8' }).trim().slice(1)
      return version.localeCompare(OLDEST_NODE, 'en', { numeric: true }) < 0
    })
}
