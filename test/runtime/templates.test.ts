// The threads for templates: accounts take turns, and a template that ends its thread does not take others with it.
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { createLog } from '../../src/runtime/log.ts'
import { createTemplates } from '../../src/runtime/templates/thread.ts'
import { isNightly } from '../support/nightly.ts'

const templates = createTemplates(createLog('silent', 'json'))
afterAll(() => templates.close())

const SCOPE = { body: '{"n":1}', headers: {}, query: {} }
const LOOP = '{% for i in (1..1000000) %}{% for j in (1..1000000) %}{{ j }}{% endfor %}{% endfor %}'
// The library checks nothing while one filter runs.
const SLOW_FILTER = '{{ body | sort_natural | size }}'
const LONG_LIST = JSON.stringify(Array.from({ length: 300_000 }, (_, n) => String((n * 7919) % 300_007)))

test('accounts take turns', async () => {
  const oneThread = createTemplates(createLog('silent', 'json'), 1)
  onTestFinished(() => oneThread.close())
  const ended: string[] = []
  const render = async (owner: string, name: string) => {
    await oneThread.render(owner, { body: LOOP }, SCOPE)
    ended.push(name)
  }
  await Promise.all([render('a', 'a1'), render('a', 'a2'), render('b', 'b1')])
  expect(ended).toEqual(['a1', 'b1', 'a2'])
})

const ROUNDS = isNightly ? 140 : 3

test(`no template fails because those of another account take too long (${ROUNDS} rounds)`, async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const heavy = templates.render('a', { body: LOOP }, SCOPE)
    expect(await templates.render('b', { body: 'hello {{ 1 }}' }, SCOPE)).toEqual({ fields: { body: 'hello 1' } })
    expect(await heavy).toEqual({ error: expect.stringMatching(/limit|100 ms/) })
  }
})

test('a template that computes for more than 100 ms fails, also within one filter, and the next one is rendered', async () => {
  expect(await templates.render('a', { body: LOOP }, SCOPE)).toEqual({ error: expect.stringMatching(/limit|100 ms/) })
  const error = 'The template took too long: it may compute for 100 ms.'
  expect(await templates.render('a', { body: SLOW_FILTER }, { ...SCOPE, body: LONG_LIST })).toEqual({ error })
  expect(await templates.render('a', { body: '{{ body.n | plus: 1 }}' }, SCOPE)).toEqual({ fields: { body: '2' } })
})

test('no template reads files or reaches into prototypes', async () => {
  const fields = { include: '{% include "package.json" %}' }
  expect(await templates.render('a', fields, SCOPE)).toEqual({ error: expect.stringContaining('include: ENOENT') })
  const reach = { body: '{{ body.constructor }}{{ body.__proto__ }}{{ body.n.toFixed }}' }
  expect(await templates.render('a', reach, SCOPE)).toEqual({ fields: { body: '' } })
})
