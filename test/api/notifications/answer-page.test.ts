// The answer page: a person opens the link with a ticket in a browser and answers with a form, without a session.
import { beforeEach, describe, expect, test } from 'vitest'
import { makeApprovalTicket, makeTicket } from '../../../src/domain/answers/answer-ticket.ts'
import type { NotificationId } from '../../../src/domain/notifications/notification.ts'
import type { TestUser } from '../../support/app.ts'
import { terminal } from '../../support/devices/devices.ts'
import { useTestNodes } from '../../support/nodes.ts'

const nodes = useTestNodes()
let user: TestUser
beforeEach(async () => {
  user = await nodes.first.addUser()
})

const actions = [
  { id: 'yes', title: 'Deploy <now>' },
  { id: 'no', title: 'Not now', destructive: true },
  { id: 'say', title: 'Reply', text_input: true, text_input_placeholder: 'Why?', text_input_button_title: 'Tell them' },
  { id: 'log', title: 'Open the log', url: 'https://example.org/log', foreground: true },
  { id: 'app', title: 'Open the app', url: 'x-app://log', foreground: true },
]

async function ask(members: object = { actions }): Promise<number> {
  const body = { title: 'Deploy?', body: 'v2 is ready\nand tested', source_display_name: 'CI', ...members }
  return (await nodes.first.post('/notifications', body, user.token)).body.id
}

const ticketFor = (id: number) => makeTicket(nodes.first.app.ctx.signingKey, id as NotificationId)
const pathFor = (id: number) => `/answers/${ticketFor(id)}`
const open = (path: string) => nodes.first.call('GET', path, { headers: { accept: 'text/html' } })
const submit = (path: string, fields: Record<string, string>) =>
  nodes.first.call('POST', `${path}/form`, {
    raw: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
const answerTo = async (id: number) => (await nodes.first.get(`/notifications/answers/${id}`, user.token)).body
const timelineOf = async (id: number) => (await nodes.first.get(`/notifications/${id}/timeline`, user.token)).body.items

describe('GET /answers/:ticket in a browser', () => {
  test('200 shows sender, title, text, a button per recorded action, a field for the reply, and web links', async () => {
    const page = await open(pathFor(await ask()))
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    for (const shown of ['CI', 'Deploy?', 'v2 is ready\nand tested', 'Deploy &lt;now&gt;', 'Why?', 'Tell them']) {
      expect(page.text).toContain(shown)
    }
    expect(page.text.match(/name="action_id" value="[a-z]+"/g)).toEqual([
      'name="action_id" value="yes"',
      'name="action_id" value="no"',
      'name="action_id" value="say"',
    ])
    expect(page.text).toContain('href="https://example.org/log"')
    expect(page.text).not.toContain('x-app:')
  })

  test('200 names the sender as it calls itself, and else by its source', async () => {
    expect((await open(pathFor(await ask({ actions, source: 'ci-7' })))).text).not.toContain('ci-7')
    const named = await ask({ actions, source: 'ci-7', source_display_name: '' })
    expect((await open(pathFor(named))).text).toContain('ci-7')
  })

  test('200 shows subtitle and files; a link that opens nothing by itself is none', async () => {
    const silent = { id: 'hook', title: 'Restart', url: 'https://example.org/restart' }
    const attachments = [{ url: 'https://example.org/report.pdf' }]
    const id = await ask({ actions: [...actions, silent], subtitle: 'Second line', attachments })
    const { text } = await open(pathFor(id))
    expect(text).toContain('Second line\nv2 is ready')
    expect(text).toMatch(/href="https:\/\/example.org\/report.pdf"[^>]*>report.pdf/)
    expect(text).not.toContain('https://example.org/restart')
  })

  test('200 changes nothing, and neither does HEAD: link previews and scanners open links', async () => {
    const id = await ask()
    const before = await timelineOf(id)
    for (let i = 0; i < 3; i++) await open(pathFor(id))
    expect((await nodes.first.call('HEAD', pathFor(id))).status).toBe(200)
    expect(await answerTo(id)).toEqual({ notification_id: id, status: 'pending' })
    expect(await timelineOf(id)).toEqual(before)
    expect((await nodes.first.get(`/notifications/${id}`, user.token)).body).not.toHaveProperty('read_at')
  })

  test('200 and 404 without script, referrer, frames, caches and search engines', async () => {
    for (const path of [pathFor(await ask()), '/answers/nonsense']) {
      const { headers, text } = await open(path)
      const policy = headers.get('content-security-policy')
      expect(policy).toMatch(
        /default-src 'none'; style-src 'sha256-[^']+'; form-action 'self';.*frame-ancestors 'none'/,
      )
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(headers.get('x-robots-tag')).toBe('noindex')
      expect(headers.get('cache-control')).toBe('no-store')
      expect(text).not.toContain('<script')
    }
  })

  test('200 a sender cannot write HTML', async () => {
    const evil = '"><script>alert(1)</script>'
    const id = await ask({
      title: evil,
      body: evil,
      subtitle: evil,
      source_display_name: evil,
      actions: [{ id: evil, title: evil, text_input: true, text_input_placeholder: evil }],
    })
    const { text } = await open(`${pathFor(id)}?device=${encodeURIComponent(evil)}`)
    expect(text).not.toContain('<script')
    expect(text).not.toContain('="">')
  })

  test('200 an alert shows its acknowledge button; after it expired the page says so and has no button', async () => {
    const id = await ask({ acknowledge: { expire_seconds: 60, action_title: 'I am on it' } })
    expect((await open(pathFor(id))).text).toContain('I am on it</button>')
    nodes.first.advanceSeconds(61)
    await nodes.first.runDueJobs()
    const { status, text } = await open(pathFor(id))
    expect([status, text.includes('<button')]).toEqual([200, false])
    expect(text).toContain('Expired')
  })

  test('200 an alert that was acknowledged by another button of it is answered', async () => {
    const opened = { id: 'app', title: 'Show', foreground: true }
    const id = await ask({ acknowledge: {}, actions: [opened] })
    await submit(pathFor(id), { action_id: 'app' })
    await submit(pathFor(id), { action_id: 'pw_ack' })
    const { text } = await open(pathFor(id))
    expect(text).toContain('Answered: Show')
    expect(text).not.toContain('<button')
  })

  test('200 an alert that the sender canceled needs no answer', async () => {
    const id = await ask({ acknowledge: {} })
    await nodes.first.post(`/notifications/receipts/${id}/cancel`, undefined, user.token)
    const { text } = await open(pathFor(id))
    expect(text).toContain('Canceled by the sender')
    expect(text).not.toContain('<button')
  })

  test('404 for a ticket that is unknown, forged, or of a deleted notification', async () => {
    const id = await ask()
    const forged = pathFor(id).replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))
    for (const path of ['/answers/nonsense', forged, pathFor(987_654_321)]) {
      const page = await open(path)
      expect([page.status, page.text.includes('This link is not valid')]).toEqual([404, true])
    }
    await nodes.first.del(`/notifications/${id}`, user.token)
    expect((await open(pathFor(id))).status).toBe(404)
  })

  test('422 for a device id that is too long, as a page', async () => {
    const refused = await open(`${pathFor(await ask())}?device=${'x'.repeat(129)}`)
    expect([refused.status, refused.headers.get('content-type')]).toEqual([422, 'text/html; charset=utf-8'])
  })
})

describe('POST /answers/:ticket/form', () => {
  test('303 records the answer and the device, then the page shows what was answered and no button', async () => {
    await nodes.first.put('/devices/pixel', { ...terminal, name: 'Pixel 9' }, user.token)
    const id = await ask()
    const sent = await submit(pathFor(id), { action_id: 'yes', device_id: 'pixel' })
    expect([sent.status, sent.headers.get('location')]).toEqual([303, `../${ticketFor(id)}?device=pixel`])
    expect(await answerTo(id)).toMatchObject({ status: 'answered', action_id: 'yes' })
    expect((await timelineOf(id)).at(-1)).toMatchObject({ event: 'answered', device: 'Pixel 9', detail: 'yes' })
    const { status, text } = await open(pathFor(id))
    expect(status).toBe(200)
    expect(text).toMatch(/Answered: Deploy &lt;now&gt;<\/strong><br><time[^>]*>[^<]+ UTC<\/time>/)
    expect(text).not.toContain('<button')
  })

  test('303 with a reply of several lines', async () => {
    const id = await ask()
    expect((await submit(pathFor(id), { action_id: 'say', text: 'Not yet,\r\nwe test\u0000 🙂' })).status).toBe(303)
    expect((await answerTo(id)).text).toBe('Not yet,\nwe test 🙂')
    expect((await open(pathFor(id))).text).toContain('Not yet,\nwe test 🙂')
  })

  test('303 acknowledges an alert, which then repeats no more', async () => {
    const id = await ask({ acknowledge: {} })
    expect((await submit(pathFor(id), { action_id: 'pw_ack' })).status).toBe(303)
    const receipt = (await nodes.first.get(`/notifications/receipts/${id}`, user.token)).body
    expect(receipt.status).toBe('acknowledged')
  })

  test('303 single use: the first answer wins, and the second person sees it', async () => {
    const id = await ask()
    const sent = await nodes.atOnce(6, (node, index) =>
      node.call('POST', `${pathFor(id)}/form`, {
        raw: `action_id=${index % 2 === 0 ? 'yes' : 'no'}`,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      }),
    )
    expect(sent.map(({ status }) => status)).toEqual(Array(6).fill(303))
    expect((await timelineOf(id)).filter(({ event }: { event: string }) => event === 'answered')).toHaveLength(1)
    const first = await answerTo(id)
    await submit(pathFor(id), { action_id: first.action_id === 'yes' ? 'no' : 'yes' })
    expect(await answerTo(id)).toEqual(first)
  })

  test('303 answers an approval by its option, whose page shows the question', async () => {
    const content = {
      template: 'approval',
      state: 'Release 2.4?',
      details: [{ label: 'Commit', value: 'f00dcafe' }],
      source: 'Pipeline',
      options: [
        { id: 'approve', title: 'Approve' },
        { id: 'reject', title: 'Reject', style: 'destructive' },
      ],
    }
    const created = await nodes.first.post('/activities', { slug: 'gate', name: 'Release' }, user.token)
    await nodes.first.patch('/activities/gate', { state: 'ongoing', content }, user.token)
    const ticket = makeApprovalTicket(nodes.first.app.ctx.signingKey, { activityId: created.body.id, round: 1 })
    const page = await open(`/answers/${ticket}`)
    expect([page.status, page.text.includes('Release 2.4?'), page.text.includes('value="approve"')]).toEqual([
      200,
      true,
      true,
    ])
    expect(page.text).toContain('Commit: f00dcafe')
    expect(page.text).toContain('Pipeline')
    expect((await submit(`/answers/${ticket}`, { option: 'approve' })).status).toBe(303)
    const { body } = await nodes.first.get('/activities/gate', user.token)
    expect(body.content.answer).toMatchObject({ option: 'approve', by: 'user' })
    expect((await open(`/answers/${ticket}`)).text).toContain(': Approve')
  })

  test('404 for an unknown ticket', async () => {
    const refused = await submit('/answers/nonsense', { action_id: 'yes' })
    expect([refused.status, refused.text.includes('This link is not valid')]).toEqual([404, true])
  })

  test('422 for an action that does not exist and for a form without one; nothing is recorded', async () => {
    const id = await ask()
    const forms: Record<string, string>[] = [
      { action_id: 'maybe' },
      { text: 'hello' },
      { action_id: 'yes', other: 'x' },
    ]
    for (const fields of forms) {
      const refused = await submit(pathFor(id), fields)
      expect([refused.status, refused.text.includes('This did not work')]).toEqual([422, true])
    }
    expect(await answerTo(id)).toEqual({ notification_id: id, status: 'pending' })
  })
})
