// Renaming a device, which keeps its addresses.
import { beforeEach, describe, expect, test } from 'vitest'
import { type TestUser, useTestApp } from '../../support/app.ts'
import { phone, terminal } from '../../support/devices/devices.ts'
import { expectProblem, locations } from '../../support/expect-problem.ts'

const app = useTestApp()
let user: TestUser
let other: TestUser
beforeEach(async () => {
  user = await app.addUser()
  other = await app.addUser()
})

const register = (id: string, body: unknown, { token } = user) => app.put(`/devices/${id}`, body, token)
const devices = async ({ token } = user) => (await app.get('/devices', token)).body.items

describe('PATCH /devices/:device_id', () => {
  const rename = (id: string, body: unknown, token = user.token) => app.patch(`/devices/${id}`, body, token)

  test('200 a new name; address, tags and last_seen_at are kept', async () => {
    const before = (await register('d', { ...phone(), tags: ['home'] })).body
    app.advanceSeconds(60)
    const answer = await rename('d', { name: 'Ada’s phone' })
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({ ...before, name: 'Ada’s phone' })
    expect(await devices()).toEqual([answer.body])
    expect(answer.body.channel).toBe('apns')
  })

  test('200 new tags without duplicates; the name is kept', async () => {
    await register('d', phone())
    expect((await rename('d', { tags: ['a', 'b', 'a'] })).body).toMatchObject({ name: 'Phone', tags: ['a', 'b'] })
  })

  test('400 request.body_required for an empty change', async () => {
    await register('d', terminal)
    expectProblem(await rename('d', {}), 400, 'request.body_required')
  })

  test('403 integration_key.permission_denied for the default key', async () => {
    await register('d', terminal)
    expectProblem(await rename('d', { name: 'X' }, user.defaultKey), 403, 'integration_key.permission_denied')
  })

  test('404 device.not_found for an unknown device and one of another account', async () => {
    expectProblem(await rename('d', { name: 'X' }), 404, 'device.not_found')
    await register('d', terminal, other)
    expectProblem(await rename('d', { name: 'X' }), 404, 'device.not_found')
    expect(await devices(other)).toMatchObject([{ name: terminal.name }])
  })

  test('422 request.validation_failed for an empty name, and for members that only a registration may set', async () => {
    await register('d', terminal)
    expect(locations(await rename('d', { name: '' }))).toEqual(['body.name'])
    expectProblem(await rename('d', { platform: 'ios' }), 422, 'request.validation_failed')
  })
})
