// The link that subscribes the ntfy app of Android: its topic is the password of the app, at the root of the server.
import { describe, expect, test } from 'vitest'
import { sql } from '../../../../src/store/engine/sql.ts'
import { startTestApp, type TestUser, useTestApp } from '../../../support/app.ts'

const app = useTestApp({ HELIOGRAPH_NTFY_UPSTREAM: 'https://ntfy.example' })

async function addPhone(user: TestUser) {
  const { body } = await app.post('/devices/apps', { kind: 'ntfy', name: 'Pixel' }, user.token)
  const { host, pathname, searchParams } = new URL(body.deep_link)
  expect([host, searchParams.get('secure')]).toEqual([new URL(app.url).host, 'false'])
  return { id: body.device.id as string, topic: pathname.slice(1), password: body.password as string }
}
const poll = async (topic: string, more = '') => {
  const answer = await fetch(`${app.url}/${topic}/json?poll=1&since=all${more}`)
  const lines = (await answer.text()).split('\n').filter(Boolean)
  return { status: answer.status, messages: lines.map((line) => JSON.parse(line)) }
}

describe('the link of POST /devices/apps', () => {
  test('subscribes with nothing else: every notification comes, under the topic that the app knows', async () => {
    const user = await app.addUser()
    const phone = await addPhone(user)
    expect(phone.topic).toBe(phone.password)
    await app.post('/notifications', { title: 'Backup', body: 'done', source: 'nas' }, user.token)
    expect((await fetch(`${app.url}/${phone.topic}/auth`)).status).toBe(200)
    const { status, messages } = await poll(phone.topic)
    expect(status).toBe(200)
    expect(messages).toMatchObject([{ event: 'message', topic: phone.topic, message: 'done' }])
    // The password is stored nowhere, not as a topic that an iPhone would be woken for either.
    expect(await app.app.ctx.db.read.all(sql`select topic from app_topics`)).toEqual([])
  })

  test('reads its own account only, sends nothing, and ends with the device', async () => {
    const [user, other] = [await app.addUser(), await app.addUser()]
    const [phone, theirs] = [await addPhone(user), await addPhone(other)]
    await app.post('/notifications', { title: 'Secret', body: 'of the other' }, other.token)
    expect((await poll(phone.topic)).messages).toEqual([])
    // With the password of one account, the topic of another is no way in.
    const headers = { authorization: `Basic ${Buffer.from(`x:${phone.password}`).toString('base64')}` }
    const mixed = await fetch(`${app.url}/ntfy/${theirs.topic}/json?poll=1&since=all`, { headers })
    expect(await mixed.text()).not.toContain('of the other')
    const sent = await fetch(`${app.url}/ntfy/${phone.topic}`, { method: 'POST', body: 'Hello' })
    expect(sent.status).toBe(403)
    await app.del(`/devices/${phone.id}`, user.token)
    expect((await poll(phone.topic)).status).toBe(401)
  })

  test('wrong passwords are counted; other paths of the root stay what they were', async () => {
    app.advanceSeconds(60)
    for (let tries = 0; tries < 20; tries++) expect((await poll('2222-2222-2222-2222')).status).toBe(401)
    expect((await poll('2222-2222-2222-2222')).status).toBe(429)
    expect((await app.get('/health')).status).toBe(200)
    expect((await fetch(`${app.url}/abcd-efgh/json`)).status).toBe(404)
  })

  test('is left out below a path, and where the door is closed the root has no topics', async () => {
    const below = await startTestApp({ HELIOGRAPH_PUBLIC_URL: 'https://example.org/push' })
    const { token } = await below.addUser()
    const { body } = await below.post('/devices/apps', { kind: 'ntfy', name: 'Pixel' }, token)
    expect(body).not.toHaveProperty('deep_link')
    await below.stop()
    const closed = await startTestApp({ HELIOGRAPH_DOORS: 'gotify' })
    expect((await fetch(`${closed.url}/2222-2222-2222-2222/json`)).status).toBe(404)
    await closed.stop()
  })
})
