// Every request to a hook that is answered 2xx is kept: what has arrived by GET, and what `auto` cannot read.
import { describe, expect, test } from 'vitest'
import { useTestApp } from '../../../support/app.ts'
import { DISCORD, TEAMS } from '../../../support/hooks/chats.ts'
import { FORGEJO, GITEA } from '../../../support/hooks/code.ts'
import { addHook } from '../../../support/hooks/hook.ts'
import { GATUS } from '../../../support/hooks/programs.ts'
import { sendLines } from '../../../support/raw-http.ts'

const app = useTestApp()

const JSON_TYPE = 'Content-Type: application/json'

// fetch sends no body with a GET.
function getWithBody(url: string, body: string, ...headers: string[]) {
  const { host, pathname, search } = new URL(url)
  return sendLines(url, [`GET ${pathname}${search} HTTP/1.1`, `Host: ${host}`, ...headers], body)
}

const lengthOf = (body: string) => `Content-Length: ${Buffer.byteLength(body)}`

describe('GET with a body', () => {
  test.each(['auto', 'generic', 'gatus', 'grafana', 'discord'])('is a report to the kind %s', async (kind) => {
    const hook = await addHook(app, { kind })
    const body = JSON.stringify({ title: 'nginx', message: 'has an update' })
    const { status } = await getWithBody(hook.url, body, JSON_TYPE, lengthOf(body))
    expect([200, 204]).toContain(status)
    expect(await hook.newest()).toMatchObject({ body: expect.stringContaining('has an update') })
    expect((await hook.requests())[0]).toMatchObject({ method: 'GET', body, outcome: { result: 'sent' } })
  })

  test('is read in the form of its sender', async () => {
    const hook = await addHook(app)
    const body = JSON.stringify(GATUS.triggered)
    await getWithBody(hook.url, body, lengthOf(body))
    expect(await hook.newest()).toMatchObject({ title: 'web/shop is down', level: 'time-sensitive' })
  })

  test('may come in chunks', async () => {
    const hook = await addHook(app)
    const { status } = await getWithBody(
      hook.url,
      '5\r\nfirst\r\n7\r\n second\r\n0\r\n\r\n',
      'Transfer-Encoding: chunked',
    )
    expect([status, (await hook.newest()).body]).toEqual([200, 'first second'])
  })

  test('413 over 1 MiB', async () => {
    const hook = await addHook(app)
    const body = 'x'.repeat(1024 * 1024 + 1)
    expect((await getWithBody(hook.url, body, lengthOf(body))).status).toBe(413)
    expect(await hook.newest()).toBeUndefined()
  })
})

describe('GET with a query', () => {
  test('is a report to every kind', async () => {
    for (const kind of ['grafana', 'discord', 'apprise']) {
      const hook = await addHook(app, { kind })
      await fetch(`${hook.url}?message=M`)
      expect(await hook.newest()).toMatchObject({ body: 'M' })
    }
  })

  test('asks about the webhook if it has only what addresses of Discord have', async () => {
    const hook = await addHook(app)
    const answer = await fetch(`${hook.url}?thread_id=7&wait=true`)
    expect(await answer.json()).toMatchObject({ id: hook.id, type: 1 })
    expect(await hook.newest()).toBeUndefined()
  })
})

describe('auto', () => {
  test('refuses nothing, and keeps what it cannot read as it came', async () => {
    const hook = await addHook(app)
    for (const body of [{ attachments: [] }, { text: '' }, { type: 'message', attachments: [{ content: 'x' }] }]) {
      const { status, text } = await hook.send(body)
      expect([status, JSON.parse(text)]).toMatchObject([200, { result: 'sent', kind: 'generic' }])
      expect(await hook.newest()).toMatchObject({ title: 'Hook', body: JSON.stringify(body, null, 2) })
    }
    expect((await hook.send('')).status).toBe(200)
    expect(await hook.newest()).toMatchObject({ title: 'Hook', body: 'The request was empty.' })
  })

  test('reads cards of Teams', async () => {
    const hook = await addHook(app)
    const { status, text } = await hook.send(TEAMS.adaptiveCard)
    expect([status, JSON.parse(text)]).toMatchObject([200, { result: 'sent', kind: 'teams' }])
    expect(await hook.newest()).toMatchObject({ title: 'Shop is down', level: 'time-sensitive' })
  })

  test('a message of Discord without a title is not shown twice', async () => {
    const hook = await addHook(app)
    expect((await hook.send(DISCORD.oneLine)).status).toBe(204)
    expect(await hook.newest()).toMatchObject({ title: 'Hook', body: 'Shop is down.' })
  })
})

describe('Gitea and Forgejo', () => {
  test('send the headers of GitHub as well', async () => {
    const hook = await addHook(app)
    const { text } = await hook.send(GITEA.push.body, GITEA.push.headers)
    expect(JSON.parse(text)).toMatchObject({ kind: 'gitea', result: 'sent' })
    expect(await hook.newest()).toMatchObject({ title: 'acme/rocket: 1 commit to main' })
  })

  test('a run of Forgejo that recovers ends the alert of the one that failed', async () => {
    const hook = await addHook(app, { kind: 'gitea', options: { acknowledge_from: 'time-sensitive' } })
    await hook.send(FORGEJO.failed.body, FORGEJO.failed.headers)
    const failed = await hook.newest()
    expect(failed).toMatchObject({
      title: 'build.yml failed on main',
      level: 'time-sensitive',
      thread_id: 'acme/rocket',
    })
    await hook.send(FORGEJO.recovered.body, FORGEJO.recovered.headers)
    expect(await hook.newest()).toMatchObject({ title: 'build.yml fixed on main', level: 'passive' })
    const receipt = await app.get(`/notifications/receipts/${failed.id}`, hook.user.token)
    expect(receipt.body).toMatchObject({ status: 'canceled' })
  })
})
