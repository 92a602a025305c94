// heliograph answer, ack, read and api: what a person does with notifications from a shell, and any other request.
import { describe, expect, test } from 'vitest'
import { type TestUser, useTestApp } from '../../support/app.ts'
import { runCommand } from '../../support/cli/run-command.ts'
import { serverThatReplies } from '../../support/fakes/replying-server.ts'

const app = useTestApp()
const runAs = ({ token }: TestUser, ...args: string[]) =>
  runCommand(args, { HELIOGRAPH_URL: app.url, HELIOGRAPH_TOKEN: token })

async function send(user: TestUser, body: object): Promise<string> {
  return String((await app.post('/notifications', { title: 'T', body: 'B', ...body }, user.defaultKey)).body.id)
}

describe('answer', () => {
  test('reaches the sender with its text; a second answer is refused, and so is a key', async () => {
    const user = await app.addUser()
    const id = await send(user, { actions: [{ id: 'no', title: 'No', text_input: true }] })
    const first = await runAs(user, 'answer', id, 'no', '--text', 'not today')
    expect(first).toEqual({ code: 0, stdout: `answered ${id} with no\n`, stderr: '' })
    const answer = (await app.get(`/notifications/answers/${id}`, user.defaultKey)).body
    expect(answer).toMatchObject({ status: 'answered', action_id: 'no', text: 'not today' })
    expect(await runAs(user, 'answer', id, 'no')).toMatchObject({ code: 3, stdout: '' })
    expect(await runAs({ ...user, token: user.defaultKey }, 'answer', id, 'no')).toMatchObject({ code: 3 })
    expect(await runAs(user, 'answer', '0x1', 'no')).toMatchObject({ code: 2 })
  })
})

describe('ack', () => {
  test('acknowledges alerts by their only button', async () => {
    const user = await app.addUser()
    const alerts = [await send(user, { acknowledge: {} }), await send(user, { acknowledge: {} })]
    const { code, stdout } = await runAs(user, 'ack', ...alerts)
    expect([code, stdout]).toEqual([0, alerts.map((id) => `acknowledged ${id}\n`).join('')])
    for (const id of alerts) {
      const receipt = (await app.get(`/notifications/receipts/${id}`, user.defaultKey)).body
      expect(receipt.status).toBe('acknowledged')
    }
  })

  test('never chooses between buttons, and needs one', async () => {
    const user = await app.addUser()
    const actions = ['yes', 'no'].map((id) => ({ id, title: id }))
    const question = await send(user, { acknowledge: {}, actions })
    const refused = await runAs(user, 'ack', question)
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('takes one: yes, no')])
    expect(await runAs(user, 'ack', await send(user, {}))).toMatchObject({ code: 3 })
    const receipt = (await app.get(`/notifications/receipts/${question}`, user.defaultKey)).body
    expect(receipt.status).toBe('active')
  })
})

describe('read', () => {
  test('marks some or all as read, and as unread again', async () => {
    const user = await app.addUser()
    const ids = [await send(user, {}), await send(user, {}), await send(user, {})]
    const unread = async () => (await app.get('/notifications/unread-count', user.token)).body.count
    expect(await runAs(user, 'read', ...ids.slice(1))).toMatchObject({ code: 0, stdout: 'marked 2 as read\n' })
    expect(await unread()).toBe(1)
    expect(await runAs(user, 'read', '--all', '--json')).toMatchObject({ stdout: '{"updated":1}\n' })
    expect(await runAs(user, 'read', String(ids[0]), '--unread')).toMatchObject({ stdout: 'marked 1 as unread\n' })
    expect(await unread()).toBe(1)
    expect(await runAs(user, 'read')).toMatchObject({ code: 2 })
    expect(await runAs(user, 'read', String(ids[0]), '--all')).toMatchObject({ code: 2 })
  })
})

describe('api', () => {
  test('makes any request: members become the body, those of a GET the query', async () => {
    const user = await app.addUser()
    const posted = await runAs(user, 'api', 'post', '/notifications', 'title=Hello', 'body=World', '--json')
    expect(posted.code).toBe(0)
    const { id } = JSON.parse(posted.stdout)
    const listed = await runAs(user, 'api', 'GET', '/notifications', 'limit=1', 'q=hello')
    expect(JSON.parse(listed.stdout).items).toMatchObject([{ id, title: 'Hello', body: 'World' }])
    expect(await runAs(user, 'api', 'DELETE', `/notifications/${id}`)).toEqual({ code: 0, stdout: '', stderr: '' })
    expect(await runAs(user, 'api', 'GET', `/notifications/${id}`)).toMatchObject({ code: 4, stdout: '' })
  })

  test('sends headers, and refuses what is no path', async () => {
    const { received, environment } = await serverThatReplies({ status: 200, body: [] })
    const request = ['api', 'POST', '/things', '--content', '{"a":1}', '-H', 'Idempotency-Key: k 1']
    expect(await runCommand(request, environment)).toMatchObject({ code: 0, stdout: '[]\n' })
    expect(received).toMatchObject([{ url: '/things', json: { a: 1 }, headers: { 'idempotency-key': 'k 1' } }])
    for (const path of ['things', '@evil.example/', '/a b', 'https://evil.example/'])
      expect(await runCommand(['api', 'GET', path], environment)).toMatchObject({ code: 2, stdout: '' })
    expect(received).toHaveLength(1)
  })
})

test('--quiet prints nothing, and errors all the same; it ends with the command', async () => {
  const user = await app.addUser()
  expect(await runAs(user, 'send', '-q', 'T', 'B')).toEqual({ code: 0, stdout: '', stderr: '' })
  expect(await runAs(user, 'inbox', '--quiet')).toMatchObject({ code: 0, stdout: '' })
  expect((await runAs(user, 'widget', 'get', 'none', '-q')).stderr).toContain('heliograph: ')
  await runAs(user, 'widget', 'set', 'office', 'template=gauge', 'value=2', 'min_value=1', 'max_value=4', '-q')
  for (const json of [[], ['--json']]) {
    expect((await runAs(user, 'widget', 'show', 'office', ...json)).stdout).toMatch(/office.*\n$/)
    expect((await runAs(user, 'widget', 'show', 'office', '-q', ...json)).stdout).toBe('')
  }
  expect((await runAs(user, 'inbox')).stdout).toContain('T')
})
