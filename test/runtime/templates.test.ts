// The thread for templates: accounts take turns, and a template that ends the thread does not take others with it.
import { afterAll, expect, test } from 'vitest'
import { createLog } from '../../src/runtime/log.ts'
import { createTemplates } from '../../src/runtime/templates/thread.ts'

const templates = createTemplates(createLog('silent', 'json'))
afterAll(() => templates.close())

const SCOPE = { body: '{"n":1}', headers: {}, query: {} }
const LOOP = '{% for i in (1..1000000) %}{% for j in (1..1000000) %}{{ j }}{% endfor %}{% endfor %}'
// Nothing is checked while one filter runs.
const SLOW_FILTER = '{{ (1..3000000) | join: "," | split: "," | sort_natural | join: "" | size }}'

test('accounts take turns', async () => {
  const ended: string[] = []
  const render = async (owner: string, name: string) => {
    await templates.render(owner, { body: LOOP }, SCOPE)
    ended.push(name)
  }
  await Promise.all([...[1, 2, 3, 4].map((n) => render('a', `a${n}`)), render('b', 'b1')])
  expect(ended).toEqual(['a1', 'a2', 'b1', 'a3', 'a4'])
})

test('a template that takes too long or too much memory fails, and the next one is rendered', async () => {
  for (const body of [LOOP, SLOW_FILTER]) {
    expect(await templates.render('a', { body }, SCOPE)).toEqual({ error: expect.stringMatching(/limit|too long/) })
  }
  expect(await templates.render('a', { body: '{{ body.n | plus: 1 }}' }, SCOPE)).toEqual({ fields: { body: '2' } })
})

test('no template reads files or reaches into prototypes', async () => {
  const fields = { include: '{% include "package.json" %}' }
  expect(await templates.render('a', fields, SCOPE)).toEqual({ error: expect.stringContaining('include: ENOENT') })
  const reach = { body: '{{ body.constructor }}{{ body.__proto__ }}{{ body.n.toFixed }}' }
  expect(await templates.render('a', reach, SCOPE)).toEqual({ fields: { body: '' } })
})
