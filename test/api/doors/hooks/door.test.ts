// The door for webhooks: answers that each sender expects, signatures, repeated deliveries.
import { createHmac } from 'node:crypto'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startTestApp, useTestApp } from '../../../support/app.ts'
import { ALERTMANAGER, GRAFANA } from '../../../support/hooks/alerts.ts'
import { DISCORD, SLACK } from '../../../support/hooks/chats.ts'
import { GITHUB } from '../../../support/hooks/code.ts'
import { addHook, sendTo, type TestHook } from '../../../support/hooks/hook.ts'
import { KUMA } from '../../../support/hooks/monitors.ts'
import { setUsed } from '../../../support/usage.ts'

const app = useTestApp()
const SECRET = 'a long secret'

const countOf = async ({ user }: TestHook) => (await app.get('/notifications', user.token)).body.items.length

describe('200', () => {
  test('with what became of the request', async () => {
    const hook = await addHook(app, { kind: 'alertmanager' })
    const { status, text } = await hook.send(ALERTMANAGER.firing)
    const { id } = await hook.newest()
    expect([status, JSON.parse(text)]).toEqual([200, { result: 'sent', kind: 'alertmanager', notification_ids: [id] }])
    expect(await hook.newest()).toMatchObject({ title: '2 × TankLow', source: 'Hook', source_display_name: 'Hook' })
  })

  test('text, forms and PUT', async () => {
    const hook = await addHook(app)
    await hook.send('text')
    expect(await hook.newest()).toMatchObject({ title: 'Hook', body: 'text' })
    await hook.send(new URLSearchParams({ title: 'T', message: 'M' }))
    expect(await hook.newest()).toMatchObject({ title: 'T', body: 'M' })
    await fetch(hook.url, { method: 'PUT', body: 'put' })
    expect(await hook.newest()).toMatchObject({ body: 'put' })
  })

  test('for a GET with a query, as Home Assistant and Uptime Kuma may send', async () => {
    const hook = await addHook(app)
    await fetch(`${hook.url}?title=T&message=M`)
    expect(await hook.newest()).toMatchObject({ title: 'T', body: 'M' })
    const { heartbeat, monitor, msg } = KUMA.down
    const query = { heartbeat: JSON.stringify(heartbeat), monitor: JSON.stringify(monitor), msg }
    await fetch(`${hook.url}?${new URLSearchParams(query)}`)
    expect(await hook.newest()).toMatchObject({ title: 'Shop is down', thread_id: 'kuma:3' })
  })

  test('for events that are not reported', async () => {
    const hook = await addHook(app, { kind: 'github', options: { events: ['push', 'issues.closed'] } })
    const { status, text } = await hook.send(GITHUB.issueOpened.body, GITHUB.issueOpened.headers)
    expect([status, JSON.parse(text).result, await countOf(hook)]).toEqual([200, 'dropped', 0])
    await hook.send(GITHUB.push.body, { 'x-github-event': 'push' })
    expect(await countOf(hook)).toBe(1)
  })
})

describe('Slack', () => {
  test('200 with exactly ok', async () => {
    const hook = await addHook(app, { kind: 'slack' })
    const { status, text, headers } = await hook.send(SLACK.blocks)
    expect([status, text, headers.get('content-type')]).toEqual([200, 'ok', 'text/plain; charset=utf-8'])
    const form = await hook.send(new URLSearchParams({ payload: JSON.stringify(SLACK.text) }))
    expect([form.status, form.text]).toEqual([200, 'ok'])
  })

  test('at /slack of any hook, and /github', async () => {
    const hook = await addHook(app, { kind: 'discord' })
    expect(await sendTo(`${hook.url}/slack`, SLACK.text)).toMatchObject({ status: 200, text: 'ok' })
    const { body, headers } = GITHUB.push
    expect((await sendTo(`${hook.url}/github`, body, headers)).status).toBe(200)
    expect(await hook.newest()).toMatchObject({ title: 'acme/rocket: 2 commits to main' })
    expect((await sendTo(`${hook.url}/other`, body)).status).toBe(404)
  })

  test('400 in the words of Slack', async () => {
    const hook = await addHook(app, { kind: 'slack' })
    expect(await hook.send('{"text":')).toMatchObject({ status: 400, text: 'invalid_payload' })
    expect(await hook.send({ text: '' })).toMatchObject({ status: 400, text: 'no_text' })
    expect((await hook.requests())[0]?.outcome).toMatchObject({ result: 'refused', detail: 'no_text' })
  })

  test('404 no_service for an address that no hook has', async () => {
    expect(await sendTo(`${app.url}/hooks/${'x'.repeat(32)}`, SLACK.text)).toMatchObject({
      status: 404,
      text: 'no_service',
    })
  })
})

describe('Discord', () => {
  test('204, and 200 with the message if the sender waits for it', async () => {
    const hook = await addHook(app, { kind: 'discord' })
    expect(await hook.send(DISCORD.embeds)).toMatchObject({ status: 204, text: '' })
    const waited = await sendTo(`${hook.url}?wait=true`, DISCORD.content)
    expect([waited.status, JSON.parse(waited.text)]).toMatchObject([
      200,
      { id: String((await hook.newest()).id), type: 0 },
    ])
  })

  test('GET tells about the webhook, for the kinds discord and auto', async () => {
    for (const kind of ['discord', 'auto']) {
      const hook = await addHook(app, { kind, name: 'Chat' })
      const answer = await fetch(hook.url)
      const token = hook.url.slice(-32)
      expect([answer.status, await answer.json()]).toMatchObject([
        200,
        { id: hook.id, type: 1, name: 'Chat', avatar: null, token },
      ])
    }
  })
})

describe('GET in a browser', () => {
  test('200 with a page that says what it is, without script', async () => {
    const hook = await addHook(app, { name: '<b>Bell</b>', kind: 'generic' })
    const answer = await fetch(hook.url, { headers: { accept: 'text/html,*/*' } })
    const page = await answer.text()
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(page).toContain('Webhook &lt;b&gt;Bell&lt;/b&gt;')
    expect(page).toMatch(/curl -H .*\/hooks\/[0-9A-Za-z]{32}/)
    expect(page).not.toContain('Authorization')
    expect(await countOf(hook)).toBe(0)
    const secret = await addHook(app, { kind: 'generic', secret: 'a secret of ours' })
    const command = await (await fetch(secret.url, { headers: { accept: 'text/html' } })).text()
    expect(command).toContain('curl -H &#39;Authorization: Bearer SECRET&#39;')
    expect(command).not.toContain('a secret of ours')
  })

  test('200 with a line of text for other clients, and HEAD', async () => {
    const hook = await addHook(app, { kind: 'grafana' })
    expect(await (await fetch(hook.url)).text()).toBe('This is a webhook: post here.\n')
    expect((await fetch(hook.url, { method: 'HEAD' })).status).toBe(200)
    expect(await countOf(hook)).toBe(0)
  })
})

const hmac = (key: string | Buffer, data: string) => createHmac('sha256', key).update(data)

describe('401 without the right signature', () => {
  const BODY = JSON.stringify({ message: 'signed' })
  const time = () => String(Math.floor(app.clock.now() / 1000))
  const standard = (key: string | Buffer, at: string) => ({
    'webhook-id': 'w1',
    'webhook-timestamp': at,
    'webhook-signature': `v1,AAAA v1,${hmac(key, `w1.${at}.${BODY}`).digest('base64')}`,
  })
  const WHSEC = `whsec_${Buffer.from('thirty-two bytes of a secret key').toString('base64')}`

  const PROOFS: [string, string, (secret: string) => Record<string, string>][] = [
    ['GitHub', SECRET, (secret) => ({ 'x-hub-signature-256': `sha256=${hmac(secret, BODY).digest('hex')}` })],
    ['GitLab', SECRET, (secret) => ({ 'x-gitlab-token': secret })],
    ['Grafana', SECRET, (secret) => ({ 'x-grafana-alerting-signature': hmac(secret, BODY).digest('hex') })],
    [
      'Grafana with a time',
      SECRET,
      (secret) => ({
        'x-grafana-alerting-timestamp': '17',
        'x-grafana-alerting-signature': hmac(secret, `17:${BODY}`).digest('hex'),
      }),
    ],
    ['Standard Webhooks', SECRET, (secret) => standard(secret, time())],
    ['Standard Webhooks, whsec_', WHSEC, (secret) => standard(Buffer.from(secret.slice(6), 'base64'), time())],
    ['a bearer token', SECRET, (secret) => ({ authorization: `Bearer ${secret}` })],
    ['a password', SECRET, (secret) => ({ authorization: `Basic ${btoa(`any:${secret}`)}` })],
  ]

  test.each(PROOFS)('%s', async (_, secret, prove) => {
    const hook = await addHook(app, { secret })
    for (const headers of [{}, prove(secret.replace(/.{4}$/, 'else')), { 'x-hub-signature-256': 'sha256=' }]) {
      const refused = await sendTo(hook.url, BODY, headers)
      expect([refused.status, JSON.parse(refused.text).code]).toEqual([401, 'hook.signature_invalid'])
    }
    expect([await countOf(hook), await hook.requests()]).toEqual([0, []])
    expect((await sendTo(hook.url, BODY, prove(secret))).status).toBe(200)
    expect(await hook.newest()).toMatchObject({ body: 'signed' })
  })

  test('Standard Webhooks with a time that is more than five minutes past or ahead', async () => {
    const hook = await addHook(app, { secret: SECRET })
    const statusAt = async (seconds: number) =>
      (await sendTo(hook.url, BODY, standard(SECRET, String(Number(time()) + seconds)))).status
    expect([await statusAt(-301), await statusAt(301), await statusAt(299)]).toEqual([401, 401, 200])
  })
})

describe('repeated deliveries', () => {
  test.each(['x-github-delivery', 'idempotency-key', 'webhook-id'])(
    '%s is carried out once within 24 h',
    async (name) => {
      const hook = await addHook(app)
      const send = async (id: string) => JSON.parse((await hook.send({ message: 'M' }, { [name]: id })).text)
      const first = await send('one')
      expect(await send('one')).toEqual({ ...first, result: 'duplicate' })
      await send('two')
      expect(await countOf(hook)).toBe(2)
      // Another hook may get the same id.
      const other = await addHook(app, {}, hook.user)
      await other.send({ message: 'M' }, { [name]: 'one' })
      expect(await countOf(hook)).toBe(3)
    },
  )
})

describe('refusals', () => {
  async function withoutQuota(input: object): Promise<TestHook> {
    const hook = await addHook(app, input)
    await setUsed(app, hook.user, 'notifications', 5000)
    return hook
  }

  test.each(['alertmanager', 'grafana', 'github', 'gitlab', 'generic', 'auto'])(
    '503 for %s when the quota is used up',
    async (kind) => {
      const hook = await withoutQuota({ kind })
      const { status, headers } = await hook.send(kind === 'grafana' ? GRAFANA.firing : ALERTMANAGER.firing)
      expect([status, headers.has('retry-after')]).toEqual([503, true])
      expect((await hook.requests())[0]?.outcome).toMatchObject({ result: 'refused', code: 'quota.exceeded' })
    },
  )

  test('429 for Slack and Discord, whose senders know it', async () => {
    const slack = await withoutQuota({ kind: 'slack' })
    expect(await slack.send(SLACK.text)).toMatchObject({ status: 429, text: 'rate_limited' })
    const discord = await withoutQuota({ kind: 'discord' })
    const { status, text, headers } = await discord.send(DISCORD.content)
    const answer = JSON.parse(text)
    expect([status, answer]).toMatchObject([429, { retry_after: expect.any(Number), global: false }])
    // In seconds, as the header.
    expect(Math.ceil(answer.retry_after)).toBe(Number(headers.get('retry-after')))
  })

  test('401 without the secret, in the form of Discord and in the word of Slack', async () => {
    const discord = await addHook(app, { kind: 'discord', secret: 'a secret of ours' })
    const { status, text } = await discord.send(DISCORD.content)
    expect([status, JSON.parse(text)]).toEqual([401, { message: expect.any(String), code: 0 }])
    const slack = await addHook(app, { kind: 'slack', secret: 'a secret of ours' })
    expect(await slack.send(SLACK.text)).toMatchObject({ status: 401, text: 'invalid_token' })
  })

  test('413 for a body over 1 MiB', async () => {
    const hook = await addHook(app)
    expect((await hook.send('x'.repeat(1024 * 1024 + 1))).status).toBe(413)
  })

  test('404 when the door is closed', async () => {
    const own = await startTestApp({ HELIOGRAPH_DOORS: 'ntfy' })
    onTestFinished(() => own.stop())
    const hook = await addHook(own)
    expect((await hook.send('x')).status).toBe(404)
  })
})
