// Requests to hooks that want to do harm: none is a 5xx, and what is stored is harmless.
import { expect, test } from 'vitest'
import { useTestApp } from '../../../support/app.ts'
import { addHook, sendTo } from '../../../support/hooks/hook.ts'

const app = useTestApp()

const json = (value: unknown) => JSON.stringify(value)
const ALMOST_1_MB = 1024 * 1024 - 64

const LARGE: [string, string, string][] = [
  ['1 MB of text', 'text/plain', 'x'.repeat(ALMOST_1_MB)],
  ['1 MB of line breaks', 'text/plain', '\n'.repeat(ALMOST_1_MB)],
  [
    'JSON that is nested half a million deep',
    'application/json',
    '['.repeat(ALMOST_1_MB / 2) + ']'.repeat(ALMOST_1_MB / 2),
  ],
  ['half a million values', 'application/json', `[${'1,'.repeat(ALMOST_1_MB / 2 - 2)}1]`],
  ['many marks of Slack', 'application/json', json({ text: '<!x>'.repeat(200_000) })],
  ['many times of Discord', 'application/json', json({ content: '<t:99999999999:F>'.repeat(50_000) })],
  ['a quarter million fields', 'application/x-www-form-urlencoded', 'a=b&'.repeat(ALMOST_1_MB / 4)],
  ['a form without an end', 'multipart/form-data; boundary=x', '--x\r\n'.repeat(200_000)],
  ['a form without a boundary', 'multipart/form-data', 'x'],
  ['escaped quotes', 'application/json', `{"a":"${'\\"'.repeat(500_000)}`],
]

test.each(LARGE)('%s', async (_, type, body) => {
  for (const kind of ['auto', 'template']) {
    const template = kind === 'template' ? { title: '{{ body | json }}' } : undefined
    const hook = await addHook(app, { kind, template })
    expect([200, 204]).toContain((await sendTo(hook.url, body, { 'content-type': type })).status)
    const { title, body: text } = (await hook.newest()) as { title: string; body: string }
    expect([[...title].length <= 256, [...text].length <= 4096]).toEqual([true, true])
  }
})

test('titles and threads have no line breaks, and links no scripts', async () => {
  const hook = await addHook(app)
  const evil = 'Subject\r\nBcc: eve@example.org\u0000\u2028x'
  await hook.send({ title: evil, message: 'M\u0000', url: 'javascript:alert(1)' })
  expect(await hook.newest()).toMatchObject({ title: 'Subject Bcc: eve@example.org x', body: 'M' })
  expect(await hook.newest()).not.toHaveProperty('url')
  await hook.send({
    text: evil,
    channel: `#a\r\nb`,
    attachments: [{ title: 'T', title_link: 'java\nscript:alert(1)', text: 'x' }],
  })
  expect(await hook.newest()).toMatchObject({ title: 'Subject', thread_id: '#a b' })
  expect(await hook.newest()).not.toHaveProperty('url')
  await hook.send({
    embeds: [{ title: 'T', url: 'data:text/html,x', image: { url: 'http://insecure.example/a.png' } }],
  })
  expect(await hook.newest()).not.toHaveProperty('url')
  expect(await hook.newest()).not.toHaveProperty('media_url')
})

test('links of buttons are checked, too', async () => {
  const hook = await addHook(app)
  const annotations = { summary: 'S', runbook_url: 'javascript:alert(1)', dashboard: 'vbscript:x' }
  const alerts = [{ status: 'firing', labels: { alertname: 'A' }, annotations, generatorURL: 'javascript:alert(1)' }]
  await hook.send({ version: '4', groupKey: 'g', status: 'firing', alerts, externalURL: 'javascript:alert(1)//' })
  const newest = await hook.newest()
  expect(newest).toMatchObject({ title: 'A', body: 'S' })
  expect([newest.url, newest.actions]).toEqual([undefined, undefined])
})

test('keys that reach into prototypes are data', async () => {
  const hook = await addHook(app)
  expect((await hook.send('{"__proto__":{"title":"P"},"constructor":{"prototype":{}},"message":"M"}')).status).toBe(200)
  expect(await hook.newest()).toMatchObject({ title: 'Hook', body: 'M' })
})

test.each(['__proto__', 'constructor', 'toString', 'valueOf', 'hasOwnProperty'])(
  'the word %s of a sender is stored as any other',
  async (word) => {
    const sent: [string, object, Record<string, string>?][] = [
      ['apprise', { title: 't', body: 'b', type: word }],
      ['generic', { title: 't', message: 'b', priority: word }],
      ['slack', { text: 't', attachments: [{ color: word, text: 'x' }] }],
      ['servarr', { eventType: word, instanceName: 'x' }],
      ['gitlab', { object_kind: word }],
      ['github', { action: word }, { 'x-github-event': word }],
      ['auto', { heartbeat: { status: word }, monitor: {}, msg: 'm' }],
    ]
    for (const [kind, body, headers] of sent) {
      const hook = await addHook(app, { kind })
      expect([kind, (await hook.send(body, headers)).status]).toEqual([kind, 200])
      expect((await hook.newest()).level).toBe('active')
    }
  },
)

test('a preview takes hostile bodies, too', async () => {
  const hook = await addHook(app)
  for (const request of ['['.repeat(500_000), { text: '<'.repeat(100_000) }, [], '']) {
    expect((await app.post(`${hook.path}/preview`, { request }, hook.user.token)).status).toBe(200)
  }
})
