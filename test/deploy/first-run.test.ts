// A stranger's path: a clone without node_modules, `npm start`, and the first notification seen in a browser.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { useBrowser } from '../support/browser/browser.ts'
import { createClient } from '../support/client.ts'
import { emptyFolder } from '../support/heliograph-process.ts'
import { report, reportWithGoal, secondsSince } from './measures.ts'

const SEEN_SECONDS = 120

const browser = useBrowser({ hasServiceWorker: true })

test(`a first notification is seen in a browser within ${SEEN_SECONDS} s of npm start in a bare clone`, async () => {
  const folder = bareClone()
  const startedAt = performance.now()
  const output = await npmStart(folder)
  const [url, link, key] = [/listening on (\S+)/, /sign in +(\S+)/, /(hlk_\S+)/].map(
    (part) => part.exec(output)?.[1] ?? '',
  )
  report('from npm start in a bare clone to a server that listens', secondsSince(startedAt), 's')

  const page = await (await browser.newProfile()).newPage()
  await page.goto(String(link))
  await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  const sent = await createClient(String(url)).post('/notifications', { title: 'Tea is ready', body: 'Kitchen' }, key)
  expect(sent.status).toBe(201)
  await page.getByText('Tea is ready').first().waitFor()
  const what = 'from npm start in a bare clone to the first notification in the browser'
  reportWithGoal(what, secondsSince(startedAt), SEEN_SECONDS)
})

// The files of this checkout that git has or would add.
function bareClone(): string {
  const folder = emptyFolder()
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
    encoding: 'utf8',
  })
  for (const path of listed.split('\0').filter(Boolean)) cpSync(path, join(folder, path))
  return folder
}

// Resolves with the output up to the line that names the address.
async function npmStart(cwd: string): Promise<string> {
  // Without this checkout's own Node.js: npm start must find or bring one itself.
  const path = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'))
  const env = { PATH: path.join(delimiter), HOME: process.env.HOME, HELIOGRAPH_PORT: '0' }
  // A process group of its own, because npm starts the server as a grandchild.
  const child = spawn('npm', ['start'], { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  onTestFinished(async () => {
    if (child.exitCode !== null) return
    process.kill(-Number(child.pid), 'SIGKILL')
    await once(child, 'close')
  })
  let output = ''
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text) => (errors += text))
  const listening = new Promise<void>((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (text) => {
      output += text
      if (/listening on \S+\n/.test(output)) resolve()
    })
  })
  await Promise.race([listening, once(child, 'exit')])
  if (child.exitCode !== null) throw new Error(`npm start ended with ${child.exitCode}: ${errors}`)
  return output
}
