// Hooks with a template of their own, and the templates of ntfy that are kinds of hooks.
import { describe, expect, test } from 'vitest'
import { useTestApp } from '../../../support/app.ts'
import { ALERTMANAGER, GRAFANA } from '../../../support/hooks/alerts.ts'
import { GITHUB } from '../../../support/hooks/code.ts'
import { addHook } from '../../../support/hooks/hook.ts'
import { askNtfy } from '../ntfy/client.ts'

const app = useTestApp()

// Which limit is reached first depends on the machine.
const TOO_MUCH = /limit exceeded|took too/
const LOOP = '{% for i in (1..1000000) %}{% for j in (1..1000000) %}{{ j }}{% endfor %}{% endfor %}'

describe('a hook of the kind template', () => {
  test('renders every field over body, headers and query', async () => {
    const hook = await addHook(app, {
      kind: 'template',
      template: {
        title: '{{ body.device | capitalize }} ({{ headers.x-room }})',
        body: '{% for s in body.sensors %}{{ s.name }}={{ s.value }} {% endfor %}',
        level: '{% if body.alarm %}critical{% else %}passive{% endif %}',
        url: 'https://home.example/{{ query.page }}',
        thread_id: 'dev-{{ body.device }}',
      },
    })
    const body = {
      device: 'boiler',
      alarm: true,
      sensors: [
        { name: 'a', value: 1 },
        { name: 'b', value: 2 },
      ],
    }
    await fetch(`${hook.url}?page=7`, { method: 'POST', body: JSON.stringify(body), headers: { 'x-room': 'attic' } })
    expect(await hook.newest()).toMatchObject({
      title: 'Boiler (attic)',
      body: 'a=1 b=2',
      level: 'critical',
      url: 'https://home.example/7',
      thread_id: 'dev-boiler',
    })
  })

  test('drops what drop says, and fills missing fields as the kind generic does', async () => {
    const hook = await addHook(app, { kind: 'template', template: { drop: '{{ body.kind == "test" }}' } })
    expect(JSON.parse((await hook.send({ kind: 'test', message: 'M' })).text)).toMatchObject({ result: 'dropped' })
    await hook.send({ kind: 'real', message: 'M' })
    expect(await hook.newest()).toMatchObject({ title: 'Hook', body: 'M' })
  })

  test('reads forms and text', async () => {
    const hook = await addHook(app, { kind: 'template', template: { title: '{{ body.who }}', body: '{{ body }}!' } })
    await hook.send(new URLSearchParams({ who: 'ada' }))
    expect(await hook.newest()).toMatchObject({ title: 'ada' })
    await hook.send('text')
    expect(await hook.newest()).toMatchObject({ body: 'text!' })
  })

  test.each([
    ['loops for ever', LOOP, TOO_MUCH],
    [
      'doubles a text',
      '{% assign s = "ab" %}{% for i in (1..60) %}{% assign s = s | append: s %}{% endfor %}{{ s }}',
      TOO_MUCH,
    ],
    ['sorts a huge range', '{{ (1..100000000) | sort | join }}', TOO_MUCH],
    ['writes more than 64 KB', `{% for i in (1..70) %}${'x'.repeat(1000)}{% endfor %}`, /longer than|took too/],
    ['divides by zero', '{{ body.a.b | divided_by: 0 | date: body }}{% include "/etc/passwd" %}', /passwd/],
  ])('one that %s makes a notification that says so', async (_, template, reason) => {
    const hook = await addHook(app, { kind: 'template', template: { body: template } })
    const text = `{"alert":"${'x'.repeat(600)}"}`
    const { status, text: answer } = await hook.send(text)
    expect([status, JSON.parse(answer).result]).toEqual([200, 'sent'])
    const { title, body } = (await hook.newest()) as { title: string; body: string }
    expect(title).toBe('The template of Hook failed')
    expect(body).toMatch(reason)
    expect(body).toContain(`${text.slice(0, 499)}…`)
    expect((await hook.requests())[0]?.outcome).toMatchObject({ detail: expect.stringMatching(reason) })
  })
})

describe('?template= at the door for ntfy', () => {
  const publish = async (template: string, document: unknown) => {
    const user = await app.addUser()
    const body = typeof document === 'string' ? document : JSON.stringify(document)
    const headers = { authorization: `Bearer ${user.defaultKey}` }
    const answer = await askNtfy(app, 'POST', `/alerts?template=${template}`, { headers, body })
    return { ...answer, inbox: (await app.get('/notifications', user.token)).body.items }
  }

  test.each([
    ['alertmanager', ALERTMANAGER.firing, '2 × TankLow', 'critical', 5],
    ['grafana', GRAFANA.firing, '[FIRING:1] Queue too long Mail', 'time-sensitive', 4],
    ['github', GITHUB.runFailed.body, 'Build failed on main', 'time-sensitive', 4],
    ['github', GITHUB.push.body, 'acme/rocket: 2 commits to main', 'active', 3],
  ])('200 for %s', async (name, document, title, level, priority) => {
    const { status, body, inbox } = await publish(name, document)
    expect([status, body]).toMatchObject([200, { title, priority }])
    expect(inbox).toMatchObject([{ title, level, source: 'alerts' }])
  })

  test('200 for a report without a text, whose title is the message', async () => {
    const { status, body } = await publish('grafana', {
      title: 'Queue too long',
      message: '',
      status: 'firing',
      alerts: [],
    })
    expect([status, body]).toMatchObject([200, { title: 'Queue too long', message: 'Queue too long' }])
  })

  test('400 for an event that is not reported, text that is not JSON, and templates of one’s own', async () => {
    expect((await publish('github', GITHUB.pullLabeled.body)).body).toMatchObject({ code: 40045 })
    expect((await publish('grafana', 'text')).body).toMatchObject({ code: 40042 })
    expect((await publish('mine', {})).body).toMatchObject({ code: 40047 })
  })
})
