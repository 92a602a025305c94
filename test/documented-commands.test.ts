// The commands of the first page that people read run as written; `npm run test:docs` runs those of all pages. Also: what
// the runner takes for an expectation.
import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { difference, lastJson } from './docs/output-shape.ts'
import { runPage } from './docs/run-page.ts'
import { stepsOf } from './docs/steps.ts'

// `npm test` needs nothing but Node.js, and small containers have no curl.
const hasCurl = spawnSync('curl', ['--version']).status === 0

test.skipIf(!hasCurl)('the commands of docs/getting-started.md', async () => {
  expect((await runPage('docs/getting-started.md')).run).toBeGreaterThan(2)
})

describe('a block of a page', () => {
  const block = '```sh\ntrue\n```\n'

  test('without an expectation and without a reason not to run is found', () => {
    expect(stepsOf(`text\n\n${block}`)).toEqual([{ kind: 'unmarked', line: 3 }])
  })

  test('states its output in a comment, or in the JSON that follows under the same heading', () => {
    const json = '```json\n{"a": 1}\n```\n'
    expect(stepsOf(`<!-- expect: x -->\n${block}`)).toMatchObject([{ kind: 'run', expect: { text: 'x' } }])
    expect(stepsOf(`${block}\nIt prints:\n\n${json}`)).toMatchObject([{ kind: 'run', expect: { json: { a: 1 } } }])
    expect(stepsOf(`${block}\n## Next\n\n${json}`)).toMatchObject([{ kind: 'unmarked' }])
  })

  test('can have a reason not to run, be a file, or follow a command that readers do not see', () => {
    expect(stepsOf(`<!-- not run: needs an iPhone -->\n${block}`)).toMatchObject([{ reason: 'needs an iPhone' }])
    expect(stepsOf(`<!-- file: a.sh -->\n${block}`)).toMatchObject([{ kind: 'file', name: 'a.sh', text: 'true\n' }])
    const steps = stepsOf(`<!-- run: echo 1 -->\n<!-- expect: x -->\n${block}`)
    expect(steps).toMatchObject([{ kind: 'hidden', text: 'echo 1' }, { kind: 'run' }])
  })
})

describe('the output that a page shows', () => {
  test.each([
    [{ a: 1, b: 2 }, { a: 1 }],
    [{ at: '2026-11-16T05:00:00Z' }, { at: '2026-…Z' }],
    [{ items: [1, 2, 3] }, { items: [1, '…'] }],
    [{ a: null }, { a: '…' }],
  ])('%j is as shown: %j', (actual, shown) => {
    expect(difference(actual, shown)).toBeUndefined()
  })

  test.each([
    [{ a: 1 }, { a: 2 }],
    [{ a: 1 }, { b: 1 }],
    [{ items: [1, 2] }, { items: [1] }],
    [{ at: 'yesterday' }, { at: '2026-…' }],
    ['x', {}],
  ])('%j differs from %j', (actual, shown) => {
    expect(difference(actual, shown)).toBeDefined()
  })

  test('is the last of several documents', () => {
    expect(lastJson('{"a":{"b":1}}{"c":[{"d":2}]}')).toEqual({ c: [{ d: 2 }] })
    expect(lastJson('text\n[{"a":1},{"b":2}]\n')).toEqual([{ a: 1 }, { b: 2 }])
  })
})
