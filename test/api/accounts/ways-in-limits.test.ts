// How often one address may try the ways in. These limits hold whatever the general one is.
import { beforeEach, expect, test } from 'vitest'
import { useTestApp } from '../../support/app.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { createOrganization, invite } from '../../support/organizations/organization.ts'

const headers = { 'x-heliograph-console': '1', 'sec-fetch-site': 'same-origin' }
const app = useTestApp({
  HELIOGRAPH_PUBLIC_URL: 'https://push.example.org',
  HELIOGRAPH_INVITED_ACCOUNTS: 'all',
})
beforeEach(() => app.advanceSeconds(60))

const post = (path: string, body?: object) => app.call('POST', path, { body, headers })
const times = async (count: number, ask: () => Promise<{ status: number }>) => {
  const statuses = []
  for (let asked = 0; asked < count; asked++) statuses.push((await ask()).status)
  return [...new Set(statuses)]
}

const wrong = { code: 'x'.repeat(32) }

test('sign-ins are ten a minute, whichever way they are tried', async () => {
  const code = await invite(app, await createOrganization(app))
  expect(await times(5, () => post('/auth/link', wrong))).toEqual([401])
  expect(await times(5, () => post('/auth/session', wrong))).toEqual([401])
  for (const [path, body] of [
    ['/auth/link', wrong],
    ['/auth/session', wrong],
    ['/auth/session/invitation', { code, name: 'Ben' }],
    ['/auth/session/passkey', { credential: { id: 'x' } }],
    ['/auth/apple', { identity_token: 'not.a.token' }],
  ] as const) {
    expectProblem(await post(path, body), 429, 'rate_limit.exceeded')
  }
  app.advanceSeconds(60)
  expect((await post('/auth/session/invitation', { code, name: 'Ben' })).status).toBe(201)
})

test('an invitation is looked at ten times a minute, and challenges of passkeys are as many: neither is a sign-in', async () => {
  const code = await invite(app, await createOrganization(app))
  const see = () => post('/auth/invitation', { code })
  const challenge = () => post('/auth/session/passkey/options')
  for (const ask of [see, challenge]) {
    expect(await times(10, ask)).toEqual([200])
    expectProblem(await ask(), 429, 'rate_limit.exceeded')
  }
  expectProblem(await post('/auth/link', wrong), 401, 'token.invalid')
})

test('a browser that waits to be approved asks 120 times a minute', async () => {
  const { id, secret } = (await post('/auth/session/requests')).body
  const ask = () => post(`/auth/session/requests/${id}`, { secret })
  expect(await times(120, ask)).toEqual([200])
  expectProblem(await ask(), 429, 'rate_limit.exceeded')
})
