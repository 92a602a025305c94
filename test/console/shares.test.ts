// Sharing in the console: codes as people type them, what a pattern covers, and refusals as sentences.
import { describe, expect, test } from 'vitest'
import { ApiError } from '../../console/src/api/client.ts'
import { mayChange, pathName } from '../../console/src/cards/activity/sharing.ts'
import { codeIn, codeInGroups } from '../../console/src/joining/join-code.ts'
import { joinRefusal, shareRefusal } from '../../console/src/shares/refusal-words.ts'
import { covers, groupByWhat, whatIsShared } from '../../console/src/shares/shared-what.ts'
import type { ShareView } from '../../src/contract/shares.ts'

const share = (part: Partial<ShareView>): ShareView => ({
  id: 'share',
  direction: 'given',
  role: 'viewer',
  owner_id: 'ada',
  recipient_id: 'grace',
  created_at: '2026-11-16T00:00:00Z',
  ...part,
})

describe('a share code', () => {
  test('is shown in two groups', () => {
    expect(codeInGroups('K7QW2MXD')).toBe('K7QW-2MXD')
  })

  test.each([
    ['K7QW-2MXD', 'K7QW-2MXD'],
    [' k7qw 2mxd\n', 'k7qw 2mxd'],
    ['https://helio.example/app/#share=K7QW2MXD', 'K7QW2MXD'],
    ['https://helio.example/app/#org=K7QW2MXD', 'K7QW2MXD'],
    ['Join here: https://helio.example/app/#share=K7QW2MXD thanks', 'K7QW2MXD'],
  ])('is found in %j', (text, code) => {
    expect(codeIn(text)).toBe(code)
  })
})

describe('what is shared', () => {
  test.each([
    ['*', 'build', true],
    ['deploy-*', 'deploy-1', true],
    ['deploy-*', 'deploy', false],
    ['deploy-*', 'redeploy-1', false],
  ])('%s covers %s: %s', (pattern, slug, isCovered) => {
    expect(covers(pattern, slug)).toBe(isCovered)
  })

  test('is an activity, or all that match a pattern', () => {
    expect(whatIsShared({ slug: 'build' })).toBe('build')
    expect(whatIsShared({ slug_pattern: 'deploy-*' })).toBe('All activities that begin with “deploy-”')
    expect(whatIsShared({ slug_pattern: '*' })).toBe('All activities')
  })

  test('groups the people, in the order of the newest share of each group', () => {
    const shares = [
      share({ id: '1', slug: 'build' }),
      share({ id: '2', slug_pattern: 'build*' }),
      share({ id: '3', slug: 'build' }),
    ]
    const ids = [...groupByWhat(shares).values()].map((group) => group.map(({ id }) => id))
    expect(ids).toEqual([['1', '3'], ['2']])
  })
})

describe('an activity', () => {
  const id = '01939b5e-0000-7000-8000-000000000000'

  test('is named by its slug if it is own, and by its id if it is shared: the slugs may be equal', () => {
    expect(pathName({ id, slug: 'build', kind: 'owned' })).toBe('build')
    expect(pathName({ id, slug: 'build', kind: 'shared' })).toBe(id)
  })

  test('is changed by its owner and by editors', () => {
    expect([{}, { share_role: 'editor' }, { share_role: 'viewer' }].map((role) => mayChange(role as never))).toEqual([
      true,
      true,
      false,
    ])
  })
})

describe('a refusal', () => {
  const refused = (code: string, body?: object) => new ApiError(403, code, 'detail of the server', body)

  test('says what to do, to the one who shares and to the one who joins', () => {
    expect(shareRefusal(refused('subscription.required'))).toContain('Sharing needs a paid plan.')
    expect(joinRefusal(refused('subscription.required'))).toContain('ask for a code of a single activity')
    expect(joinRefusal(refused('share.code_invalid'))).toContain('Ask for a new one.')
  })

  test.each([
    ['codes', 'You have 100 open codes'],
    ['recipients', 'already shared with 100 people'],
    ['received', 'You have joined 100 shares'],
  ])('for the limit of %s names the number', (kind, words) => {
    expect(joinRefusal(refused('share.limit_exceeded', { kind, limit: 100 }))).toContain(words)
  })

  test('without words of ours shows those of the server', () => {
    expect(joinRefusal(refused('internal.error'))).toBe('detail of the server')
  })
})
