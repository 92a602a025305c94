// The request with which the console tests a webhook, for every tool.
import { Buffer } from 'node:buffer'
import { expect, test } from 'vitest'
import { TEST_REQUESTS } from '../../../../console/src/hooks/tools.ts'
import { HOOK_KINDS } from '../../../../src/contract/hooks.ts'
import { readDocument } from '../../../../src/domain/hooks/document.ts'
import { type ReadableKind, readRecognized } from '../../../../src/domain/hooks/kinds.ts'

const KINDS = HOOK_KINDS.filter((kind) => kind !== 'auto' && kind !== 'template') as ReadableKind[]

test.each(KINDS)('the one of %s is recognized, and makes a message', async (kind) => {
  const { headers = {}, body } = TEST_REQUESTS[kind]
  const names = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
  const document = await readDocument({
    method: 'POST',
    headers: { 'content-type': 'application/json', ...Object.fromEntries(names) },
    query: '',
    body: Buffer.from(JSON.stringify(body)),
  })
  const { kind: recognized, report } = readRecognized(document, {})
  expect(recognized).toBe(kind)
  expect(report).toHaveProperty('title')
  expect(JSON.stringify(report)).toMatch(kind === 'gitlab' ? /failed/ : /It works\./)
})
