// heliograph ask and receipt: they wait for people.
import { describe, expect, test } from 'vitest'
import { useTestApp } from '../../support/app.ts'
import { runCommand } from '../../support/cli/run-command.ts'
import { eventually } from '../../support/eventually.ts'
import { serverThatReplies } from '../../support/fakes/replying-server.ts'
import { launch, MAIN, watch } from '../../support/heliograph-process.ts'

const app = useTestApp()
const environmentOf = (token: string) => ({ HELIOGRAPH_URL: app.url, HELIOGRAPH_TOKEN: token })

const PENDING = { status: 200, body: { notification_id: 17, status: 'pending' } }
const ANSWERED = { status: 200, body: { notification_id: 17, status: 'answered', action_id: 'yes' } }
const SENT = { status: 201, body: { id: 17 } }
const QUESTION = ['ask', 'Deploy?', 'Now.', '--action', 'yes=Deploy', '--action', 'no=Not now']

async function answerLatest(token: string, answer: object) {
  const [question] = await eventually(async () => {
    const { items } = (await app.get('/notifications', token)).body
    expect(items).toHaveLength(1)
    return items
  })
  expect((await app.post(`/notifications/${question.id}/answer`, answer, token)).status).toBe(200)
  return question
}

describe('ask', () => {
  test('prints the id of the answer', async () => {
    const user = await app.addUser()
    const asked = runCommand(QUESTION, environmentOf(user.defaultKey))
    const question = await answerLatest(user.token, { action_id: 'no' })
    expect(question.actions).toEqual([
      { id: 'yes', title: 'Deploy' },
      { id: 'no', title: 'Not now' },
    ])
    expect(await asked).toEqual({ code: 0, stdout: 'no\n', stderr: '' })
  })

  test('--text takes a typed answer and prints it after its id', async () => {
    const user = await app.addUser()
    const asked = runCommand(['ask', 'Why?', 'B', '--text', 'Explain'], environmentOf(user.defaultKey))
    const question = await answerLatest(user.token, { action_id: 'text', text: 'Because.\nSo.' })
    expect(question.actions).toEqual([{ id: 'text', title: 'Explain', text_input: true }])
    expect(await asked).toEqual({ code: 0, stdout: 'text\nBecause.\nSo.\n', stderr: '' })
  })

  test('asks again when a long poll ends, when the server fails, and when too many waits are open', async () => {
    const failed = { status: 503, body: { code: 'service.unavailable', detail: 'Later.' } }
    const full = { status: 429, body: { code: 'answer_wait.limit_exceeded', detail: 'Later.' } }
    const { received, environment } = await serverThatReplies(SENT, PENDING, failed, full, ANSWERED)
    expect(await runCommand(QUESTION, environment)).toEqual({ code: 0, stdout: 'yes\n', stderr: '' })
    expect(received.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'POST /notifications',
      ...Array(4).fill('GET /notifications/answers/17?wait=25'),
    ])
  })

  test('7 when nobody has answered in time; --json prints the pending answer', async () => {
    const { received, environment } = await serverThatReplies(SENT, PENDING)
    const asked = await runCommand([...QUESTION, '--timeout', '1s'], environment)
    const stderr = 'heliograph: notification 17 was not answered within 1s\n'
    expect(asked).toEqual({ code: 7, stdout: '', stderr })
    expect(received[1]?.url).toBe('/notifications/answers/17?wait=1')
    const other = await serverThatReplies(SENT, PENDING)
    const inJson = await runCommand([...QUESTION, '--timeout', '1s', '--json'], other.environment)
    expect({ ...inJson, stdout: JSON.parse(inJson.stdout) }).toEqual({ code: 7, stdout: PENDING.body, stderr })
  })

  test('6 when the server fails until the time is up, 3 at once when the key is revoked', async () => {
    const failed = { status: 503, body: { code: 'service.unavailable', detail: 'Later.' } }
    const { environment } = await serverThatReplies(SENT, failed)
    expect((await runCommand([...QUESTION, '--timeout', '1s'], environment)).code).toBe(6)
    const revoked = await serverThatReplies(SENT, { status: 401, body: { code: 'token.invalid', detail: 'No.' } })
    expect((await runCommand(QUESTION, revoked.environment)).code).toBe(3)
  })

  test('Ctrl-C ends it without a word', async () => {
    const user = await app.addUser()
    const child = launch([MAIN, ...QUESTION], { environment: environmentOf(user.defaultKey) })
    const { ended } = watch(child)
    await eventually(async () => {
      expect((await app.get('/notifications', user.token)).body.items).toHaveLength(1)
    })
    child.kill('SIGINT')
    expect(await ended).toEqual({ code: null, signal: 'SIGINT', stdout: '', stderr: '' })
  })

  test.each<[string[], string]>([
    [[], 'give the answers: --action ID=LABEL, or --text'],
    [['--action', 'yes=Yes=https://a.example'], 'the answer "yes" has an address, so it would not be recorded'],
    [['--text', '--timeout', '0'], 'a duration from 1s to 30d'],
  ])('2 for %j', async (args, message) => {
    const { code, stdout, stderr } = await runCommand(['ask', 'T', 'B', ...args])
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(message)
  })
})

describe('receipt', () => {
  test('get, wait and cancel follow an alert', async () => {
    const user = await app.addUser()
    const run = (...args: string[]) => runCommand(['receipt', ...args], environmentOf(user.defaultKey))
    const alert = { title: 'T', body: 'B', acknowledge: {}, tags: ['db01'] }
    const send = async () => String((await app.post('/notifications', alert, user.defaultKey)).body.id)
    const [first, second, third] = [await send(), await send(), await send()]

    expect((await run('get', first)).stdout).toMatch(/^notification {2}\d+\nstatus {8}active\nrepeats {7}0\nexpires /)
    const waiting = run('wait', first)
    await app.post(`/notifications/${first}/answer`, { action_id: 'pw_ack' }, user.token)
    expect(await waiting).toMatchObject({ code: 0, stdout: expect.stringMatching(/^status {8}acknowledged$/m) })

    expect(JSON.parse((await run('cancel', second, '--json')).stdout)).toMatchObject({ status: 'canceled' })
    expect(await run('wait', second)).toMatchObject({
      code: 7,
      stderr: `heliograph: alert ${second} is canceled, not acknowledged\n`,
    })
    expect(await run('cancel', '--tag', 'db01')).toMatchObject({ code: 0, stdout: 'canceled 1 alerts\n' })
    expect((await run('get', third)).stdout).toMatch(/^reason {8}tag$/m)
    expect(await run('get', '999999')).toMatchObject({ code: 4, stderr: expect.stringContaining('not_found') })
    expect(await run('cancel')).toMatchObject({ code: 2, stderr: expect.stringContaining('either an id or --tag') })
  })

  test('wait ends with 7 when the time is up', async () => {
    const { environment } = await serverThatReplies({ status: 200, body: { notification_id: 17, status: 'active' } })
    const { code, stderr } = await runCommand(['receipt', 'wait', '17', '--timeout', '1s'], environment)
    expect([code, stderr]).toEqual([7, 'heliograph: alert 17 is active, not acknowledged\n'])
  })
})
