// Large bodies are parsed in slices, each in its own turn of the event loop; small ones immediately.
import fastify from 'fastify'
import { expect, test } from 'vitest'
import { registerBodyParsers } from '../../src/http/json-body.ts'
import type { Context } from '../../src/operations/context.ts'
import { createSlices } from '../../src/runtime/slices.ts'

const bodyOf = (bytes: number) => `"${'x'.repeat(bytes - 2)}"`

test('a body over 16 KiB waits for a slice, which belongs to the address of its client', async () => {
  const app = fastify()
  const slices = createSlices()
  const owners: string[] = []
  const watched: Context['slices'] = (owner, slice) => {
    owners.push(owner)
    return slices(owner, slice)
  }
  registerBodyParsers(app, { slices: watched } as Context)
  app.post('/', { schema: { body: {} } }, async (request) => ({ chars: (request.body as string).length }))
  const post = (bytes: number, remoteAddress: string) =>
    app.inject({
      method: 'POST',
      url: '/',
      remoteAddress,
      headers: { 'content-type': 'application/json' },
      body: bodyOf(bytes),
    })

  expect((await post(16 * 1024, '203.0.113.1')).json()).toEqual({ chars: 16 * 1024 - 2 })
  expect(owners).toEqual([])
  const large = await Promise.all(['203.0.113.1', '203.0.113.2', '2001:db8::1'].map((from) => post(500_000, from)))
  expect(large.map((answer) => answer.json().chars)).toEqual([499_998, 499_998, 499_998])
  expect(owners).toEqual(['203.0.113.1', '203.0.113.2', '2001:db8:0:0::/64'])
  await app.close()
})
