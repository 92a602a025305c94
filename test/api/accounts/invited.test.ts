// Accounts that an invitation makes, for people who have none.
import { beforeEach, describe, expect, test } from 'vitest'
import { LIMITS } from '../../../src/contract/limits.ts'
import { removeUser } from '../../../src/operations/accounts/remove.ts'
import { startTestApp, type TestApp, useTestApp } from '../../support/app.ts'
import { sqliteSuffices } from '../../support/database/database.ts'
import { expectProblem } from '../../support/expect-problem.ts'
import { createOrganization, invite } from '../../support/organizations/organization.ts'
import { addCode } from '../../support/shares.ts'

const CONSOLE = { 'x-heliograph-console': '1', 'sec-fetch-site': 'same-origin', 'user-agent': 'Firefox/153' }
const app = useTestApp({ HELIOGRAPH_INVITED_ACCOUNTS: 'all', HELIOGRAPH_MAX_INVITED_ACCOUNTS: '3' })
// The limit of sign-ins is always on, and that of an address is one of a day.
beforeEach(() => app.advanceSeconds(86_400))

const see = (code: string, on = app) => on.post('/auth/invitation', { code })
const accept = (code: string, name = 'Ben', on = app) =>
  on.call('POST', '/auth/session/invitation', { body: { code, name }, headers: CONSOLE })
const tokenIn = ({ headers }: { headers: Headers }) => /=([^;]+);/.exec(headers.get('set-cookie') ?? '')?.[1]

async function accepted(code: string, name?: string, on: TestApp = app) {
  const answer = await accept(code, name, on)
  expect([answer.status, answer.text]).toEqual([201, expect.stringContaining('user_id')])
  return { ...answer.body, token: tokenIn(answer) as string }
}

describe('POST /auth/session/invitation', () => {
  test('201 of an organization: an account with a name, a key and a session, which is a member', async () => {
    const org = await createOrganization(app)
    const code = await invite(app, org)
    expect((await see(code)).body).toEqual({
      kind: 'organization',
      role: 'member',
      org_name: 'Example',
      makes_account: true,
    })
    const { user_id, org_id, token } = await accepted(code, ' Ben ')
    expect(org_id).toBe(org.id)
    const me = (await app.get('/auth/me', token)).body
    expect(me).toMatchObject({ id: user_id, nickname: 'Ben', subscribed: false, notifications_limit: 500 })
    expect(me).not.toHaveProperty('operator')
    expect((await app.get('/integrations/keys', token)).body).toMatchObject([{ is_default: true }])
    expect((await app.get('/auth/sessions', token)).body.items).toMatchObject([{ kind: 'console', name: 'Firefox' }])
    const members = (await app.get(`${org.path}/members`, org.owner.token)).body.items
    expect(members).toContainEqual(expect.objectContaining({ user_id, nickname: 'Ben', role: 'member' }))
    // The code of one use is used up, for seeing too.
    expectProblem(await accept(code), 410, 'invitation.invalid')
    expectProblem(await see(code), 410, 'invitation.invalid')
  })

  test('201 of a share: the activity is there; a second person may have the same name', async () => {
    const owner = await app.addUser()
    await app.patch('/auth/me', { nickname: 'Ada' }, owner.token)
    await app.post('/activities', { slug: 'wash', name: 'Washing' }, owner.token)
    const { code } = await addCode(app, owner, 'wash', { max_uses: 2 })
    expect((await see(code)).body).toEqual({
      kind: 'share',
      role: 'viewer',
      owner_nickname: 'Ada',
      slug: 'wash',
      makes_account: true,
    })
    const one = await accepted(code, 'Cleo')
    const other = await accepted(code, 'Cleo')
    expect(one.user_id).not.toBe(other.user_id)
    expect((await app.get(`/activities/${one.activity_id}`, other.token)).body.name).toBe('Washing')
  })

  test('403 for a share of the paid plan only, and nothing is made or used up', async () => {
    const { code } = await addCode(app, await app.addUser(), '*')
    expectProblem(await see(code), 403, 'subscription.required')
    expectProblem(await accept(code), 403, 'subscription.required')
  })

  test('409 beyond the limit of the person who invites, whose guests count too; nothing is left behind', async () => {
    const org = await createOrganization(app)
    const code = await invite(app, org, { role: 'admin', max_uses: 10 })
    const guest = await accepted(code, 'Guest')
    const ofGuest = await invite(app, { path: org.path, owner: { ...org.owner, token: guest.token } })
    await accepted(ofGuest, 'Guest of the guest')
    await accepted(code, 'Third')
    expectProblem(await see(code), 409, 'invitation.limit_exceeded')
    expectProblem(await accept(code, 'Fourth'), 409, 'invitation.limit_exceeded')
    const next = await invite(app, { path: org.path, owner: { ...org.owner, token: guest.token } })
    expectProblem(await accept(next, 'Fourth'), 409, 'invitation.limit_exceeded')
    expect((await app.get(`${org.path}/members`, org.owner.token)).text).not.toContain('Fourth')
    // Another person of the server has a limit of their own.
    await accepted(await invite(app, { ...org, owner: org.admin }), 'Fourth')
    // An account that the operator deletes makes room.
    await removeUser(app.app.ctx, 'Third')
    await accepted(code, 'Fifth')
  })

  test('one use, ten people at once: one account', async () => {
    const code = await invite(app, await createOrganization(app))
    const answers = await Promise.all(Array.from({ length: 5 }, (_, index) => accept(code, `P${index}`)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 410, 410, 410, 410])
  })

  test('the limit holds against people who come at once', async () => {
    const code = await invite(app, await createOrganization(app), { max_uses: 10 })
    const answers = await Promise.all(Array.from({ length: 5 }, (_, index) => accept(code, `P${index}`)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 409, 409])
  })

  test('410 for a code that is unknown, expired or deleted; 429 after five of them, for right ones too', async () => {
    const org = await createOrganization(app)
    const [good, deleted] = [await invite(app, org), await invite(app, org)]
    const open = (await app.get(`${org.path}/invitations`, org.owner.token)).body.items
    const { id } = open.find((one: { code: string }) => one.code === deleted)
    await app.del(`${org.path}/invitations/${id}`, org.owner.token)
    for (const code of ['22222222', 'nonsense!', deleted]) {
      expectProblem(await see(code), 410, 'invitation.invalid')
    }
    for (const code of ['33333333', deleted]) expectProblem(await accept(code), 410, 'invitation.invalid')
    expectProblem(await accept(good), 429, 'rate_limit.exceeded')
    app.advanceSeconds(60)
    await accepted(good)
    const late = await invite(app, org, { expires_in: 60 })
    app.advanceSeconds(60)
    expectProblem(await accept(late), 410, 'invitation.invalid')
  })

  test('422 without a name, 403 from a page of another site', async () => {
    const code = await invite(app, await createOrganization(app))
    expectProblem(await accept(code, '  '), 422, 'request.validation_failed')
    const headers = { ...CONSOLE, 'sec-fetch-site': 'cross-site' }
    const foreign = await app.call('POST', '/auth/session/invitation', { body: { code, name: 'Eve' }, headers })
    expectProblem(foreign, 403, 'session.foreign_request')
  })

  test.skipIf(sqliteSuffices())('429 for one person more than the limit of a day from one address', async () => {
    const limit = LIMITS.account.maxInvitedPerAddressAndDay
    for (let made = 0; made < limit; made++) {
      if (made % 3 === 0) app.advanceSeconds(60)
      await accepted(await invite(app, await createOrganization(app)), `Person ${made}`)
    }
    app.advanceSeconds(60)
    const code = await invite(app, await createOrganization(app))
    const refused = await accept(code)
    expectProblem(refused, 429, 'rate_limit.exceeded')
    expect(refused.body.retry_after_ms).toBe(86_400_000 - (app.clock.now() % 86_400_000))
    app.advanceSeconds(86_400 - 60)
    await accepted(code)
  })
})

describe.skipIf(sqliteSuffices())('HELIOGRAPH_INVITED_ACCOUNTS', () => {
  test.each([
    ['organizations', true, false],
    ['off', false, false],
  ])('%s', async (setting, ofOrganizations, ofShares) => {
    const server = await startTestApp({ HELIOGRAPH_INVITED_ACCOUNTS: setting })
    try {
      const invitation = await invite(server, await createOrganization(server))
      const owner = await server.addUser()
      await server.post('/activities', { slug: 'wash', name: 'Washing' }, owner.token)
      const share = (await addCode(server, owner, 'wash')).code
      for (const [code, makes] of [
        [invitation, ofOrganizations],
        [share, ofShares],
      ] as const) {
        expect((await see(code, server)).body.makes_account).toBe(makes)
        const answer = await accept(code, 'Ben', server)
        if (makes) expect(answer.status).toBe(201)
        else expectProblem(answer, 403, 'invitation.account_required')
      }
      // A code that is over says so to everybody.
      const late = await invite(server, await createOrganization(server), { expires_in: 60 })
      const used = await addCode(server, owner, 'wash')
      await server.post('/shares/join', { code: used.code }, (await server.addUser()).token)
      server.advanceSeconds(60)
      for (const code of [late, used.code]) expectProblem(await see(code, server), 410, 'invitation.invalid')
    } finally {
      await server.stop()
    }
  })
})

test('the accounts have the plan of HELIOGRAPH_DEFAULT_PLAN', async () => {
  const server = await startTestApp({ HELIOGRAPH_INVITED_ACCOUNTS: 'all', HELIOGRAPH_DEFAULT_PLAN: 'paid' })
  try {
    const { token } = await accepted(await invite(server, await createOrganization(server)), 'Ben', server)
    expect((await server.get('/auth/me', token)).body).toMatchObject({ plan: 'paid', subscribed: true })
  } finally {
    await server.stop()
  }
})

describe('POST /auth/links/kept', () => {
  const signIn = (url: string) =>
    app.call('POST', '/auth/session', { body: { code: url.split('#signin=')[1] }, headers: CONSOLE })

  test('201 a link that works once, whenever; a new one replaces it, and it can be removed', async () => {
    const user = await app.addUser()
    const keep = async () => (await app.post('/auth/links/kept', undefined, user.token)).body.url as string
    const [replaced, kept] = [await keep(), await keep()]
    app.advanceSeconds(400 * 86_400)
    expectProblem(await signIn(replaced), 401, 'token.invalid')
    const answer = await signIn(kept)
    expect(answer.body).toEqual({ user_id: user.userId, used_kept_link: true })
    expectProblem(await signIn(kept), 401, 'token.invalid')
    const removed = await keep()
    expect((await app.del('/auth/links/kept', user.token)).status).toBe(204)
    expectProblem(await signIn(removed), 401, 'token.invalid')
  })

  test('neither a new one nor its removal ends a link for ten minutes', async () => {
    const user = await app.addUser()
    const { url } = (await app.post('/auth/links', undefined, user.token)).body
    await app.post('/auth/links/kept', undefined, user.token)
    await app.del('/auth/links/kept', user.token)
    expect((await signIn(url)).body.user_id).toBe(user.userId)
  })

  test('signing out everywhere else removes it, and open links', async () => {
    const user = await app.addUser()
    const { url: kept } = (await app.post('/auth/links/kept', undefined, user.token)).body
    const { url: open } = (await app.post('/auth/links', undefined, user.token)).body
    await app.del('/auth/sessions', user.token)
    for (const url of [kept, open]) expectProblem(await signIn(url), 401, 'token.invalid')
  })
})
