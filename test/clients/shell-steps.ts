// What clients/shell/heliograph.sh must do in every shell.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { expect } from 'vitest'
import type { TestApp } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'
import { NOBODY, serverThatReplies } from '../support/fakes/replying-server.ts'

type Settings = { url?: string; token: string; timeout?: string }

// Runs `script` after the file of the function; `shell` is the command with its arguments.
async function runIn(shell: string[], script: string, { url = '', token, timeout = '30' }: Settings) {
  const [command = '', ...args] = shell
  const child = spawn(command, [...args, '-euc', `. clients/shell/heliograph.sh; ${script}`], {
    env: { PATH: process.env.PATH, HELIOGRAPH_URL: url, HELIOGRAPH_TOKEN: token, HELIOGRAPH_TIMEOUT: timeout },
  })
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { code, stdout, stderr }
}

const QUOTED = 'quotes " \' back\\slash \\n $HOME `id` tab\t%s {"a":1}\nsecond line ä'

export async function expectShellWorks(shell: string[], app: TestApp): Promise<void> {
  const { token } = await app.addUser()
  const run = (script: string, settings: Partial<Settings> = {}) =>
    runIn(shell, script, { url: app.url, token, ...settings })
  const latest = async () => (await app.get('/notifications', token)).body.items[0]

  const body = QUOTED.replaceAll("'", "'\\''")
  const sent = await run(`heliograph send Title '${body}' level=passive source=nas`)
  expect(sent).toMatchObject({ code: 0, stderr: '' })
  expect(await latest()).toMatchObject({ id: Number(sent.stdout), body: QUOTED, level: 'passive', source: 'nas' })

  await run('heliograph alert Fire Kitchen')
  expect((await latest()).receipt).toMatchObject({ status: 'active' })

  const asked = run('heliograph ask "Deploy?" Now. yes=Deploy no="Not now"')
  const question = await eventually(async () => {
    const entry = await latest()
    expect(entry.title).toBe('Deploy?')
    return entry
  })
  expect(question.actions).toMatchObject([{ id: 'yes' }, { id: 'no', title: 'Not now' }])
  await app.post(`/notifications/${question.id}/answer`, { action_id: 'no' }, token)
  expect(await asked).toEqual({ code: 0, stdout: 'no\n', stderr: '' })
  expect(await run('heliograph ask A B y=Y', { timeout: '0' })).toMatchObject({ code: 7, stdout: '' })

  await run('heliograph activity build Testing 0.5; heliograph end build Done')
  const { state, content } = (await app.get('/activities/build', token)).body
  expect([state, content.state, content.progress]).toEqual(['ended', 'Done', 0.5])

  expect(await run('heliograph send T B level=loud')).toMatchObject({
    code: 3,
    stderr: expect.stringMatching(/^heliograph: .*level/),
  })
  expect(await run('heliograph activity build Testing half')).toMatchObject({ code: 2 })
  expect(await run('heliograph send T')).toMatchObject({ code: 2, stderr: expect.stringContaining('usage') })
  expect(await run('heliograph send T B', { token: '' })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('HELIOGRAPH_TOKEN'),
  })
  // The body of an attempt that was repeated is not printed, and a repeat waits for an attempt that is still in progress.
  const busy = { status: 503, headers: { 'retry-after': '1' }, body: { code: 'service.unavailable', detail: 'Later.' } }
  const inProgress = { status: 409, body: { code: 'idempotency.in_progress', detail: 'Wait.' } }
  const failing = await serverThatReplies(busy, inProgress, { status: 201, body: { id: 17 } })
  const repeated = await run('heliograph send T B', { url: failing.environment.HELIOGRAPH_URL })
  expect(repeated).toEqual({ code: 0, stdout: '17\n', stderr: '' })
  expect(new Set(failing.received.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
  expect(await run('curl() { return 7; }; heliograph send T B', { url: NOBODY })).toMatchObject({ code: 6, stdout: '' })
}
