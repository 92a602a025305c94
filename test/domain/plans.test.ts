// The setting of the plans: what it changes, what it refuses, and plans that it does not name.
import { describe, expect, test } from 'vitest'
import { CAPS } from '../../src/contract/plans.ts'
import { CONTRACT_PLANS, parsePlans } from '../../src/domain/plans.ts'

const parse = (plans: unknown) => parsePlans(JSON.stringify(plans))

describe('parsePlans', () => {
  test('changes the numbers that are named, and leaves the others', () => {
    const plans = parse({ paid: { emails: 'unlimited', notifications: '9/month', devices: 12 }, free: { keys: 1 } })
    const { quotas, caps } = plans.named('paid')
    expect([quotas.emails, quotas.notifications, caps.devices]).toEqual([null, { limit: 9, per: 'month' }, 12])
    expect(caps.widgets).toBe(CONTRACT_PLANS.named('paid').caps.widgets)
    expect(plans.named('free').caps).toEqual({ ...CONTRACT_PLANS.named('free').caps, keys: 1 })
  })

  test('a further plan starts from paid, one that begins with free- from free, as they are set', () => {
    const plans = parse({
      family: { keys: 30 },
      'free-guest': { keys: 2 },
      paid: { devices: 12 },
      free: { devices: 5 },
    })
    expect(plans.names).toEqual(['free', 'paid', 'family', 'free-guest'])
    expect(plans.named('family')).toMatchObject({ isPaid: true, caps: { keys: 30, devices: 12 } })
    expect(plans.named('free-guest')).toMatchObject({ isPaid: false, caps: { keys: 2, devices: 5 } })
  })

  test('a plan that is not set has the numbers that it would start from', () => {
    const plans = parse({ paid: { devices: 12 } })
    expect(plans.named('gone')).toEqual({ ...plans.named('paid'), name: 'gone' })
    expect(plans.named('free-gone')).toEqual({ ...plans.named('free'), name: 'free-gone' })
  })

  test('an unlimited cap is the bound of the server', () => {
    expect(parse({ paid: { widgets: 'unlimited' } }).named('paid').caps.widgets).toBe(CAPS.widgets.most)
  })

  test.each([
    ['no JSON', '{', /^valid JSON: .* at position 1/],
    ['no object', '[]', /^a JSON object such as/],
    ['a plan that is no object', '{"paid": 5}', /^JSON whose paid is an object$/],
    ['a bad name', '{"My plan": {}}', /not "My plan"$/],
    ['an unknown member', '{"paid": {"device": 5}}', /^JSON without paid\.device; a plan has notifications, .*devices/],
    ['a cap of 0', '{"paid": {"devices": 0}}', /^JSON whose paid\.devices is from 1 to 100 or "unlimited", not 0$/],
    ['a cap over the bound', '{"paid": {"devices": 101}}', /paid\.devices is from 1 to 100/],
    [
      'a quota without a period',
      '{"free": {"emails": 5}}',
      /free\.emails is such as "500\/month" or "unlimited", not 5$/,
    ],
    ['e-mails by the day', '{"free": {"emails": "5/day"}}', /free\.emails is such as "500\/month" or "unlimited"/],
    ['a negative quota', '{"free": {"notifications": "-1/day"}}', /free\.notifications is such as/],
  ])('refuses %s', (_, text, words) => {
    expect(() => parsePlans(text)).toThrow(words)
  })
})
