// R26: any valid notification fits into a push, and no member is left out that would have fitted.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { LIMITS } from '../../src/contract/limits.ts'
import type { NotificationAction } from '../../src/contract/notifications/notification.ts'
import { instant, toRfc3339 } from '../../src/domain/instant.ts'
import type { NotificationDraft, NotificationId } from '../../src/domain/notifications/notification.ts'
import type { PushContent } from '../../src/domain/push.ts'
import { apnsNotification, encryptedFits, webPushNotification } from '../../src/push/payload/notification.ts'

// Characters of 1 to 4 bytes in UTF-8, of 2 and 6 bytes when escaped, right-to-left ones, and a joined sequence.
const char = fc.constantFrom('a', '"', '\\', '\n', '\u0001', '\u007f', 'é', 'א', '\u2028', '日', '😀', '👩‍👩‍👧')
const cut = (text: string, chars: number) => [...text].slice(0, chars).join('')

function repeated(pattern: string, chars: number): string {
  const patternChars = [...pattern].length
  return pattern.repeat(chars / patternChars) + cut(pattern, chars % patternChars)
}

// Short texts, texts of any length, and texts of the maximum length.
function text(maxChars: number): fc.Arbitrary<string> {
  const pattern = fc.array(char, { minLength: 1, maxLength: 6 }).map((chars) => chars.join(''))
  return fc.oneof(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }).map((text) => cut(text, maxChars)),
    fc.tuple(pattern, fc.integer({ min: 1, max: maxChars })).map(([pattern, chars]) => repeated(pattern, chars)),
    fc.oneof(char, pattern).map((pattern) => repeated(pattern, maxChars)),
  )
}

// Names and values of at most this many bytes in total.
function pairs(maxPairs: number, maxBytes: number): fc.Arbitrary<Record<string, string>> {
  const names = Array.from({ length: maxPairs }, (_, at) => `n${at}`)
  const valueBytes = Math.floor(maxBytes / maxPairs) - 3
  const full = (char: string) => Object.fromEntries(names.map((name) => [name, char.repeat(valueBytes)]))
  return fc.oneof(
    fc.dictionary(fc.constantFrom(...names), text(Math.ceil(valueBytes / 4)), { minKeys: 1, maxKeys: maxPairs }),
    fc.constantFrom('a', '\u0001').map(full),
  )
}

// Members up to a share of their limits: most notifications are small, and shortening starts in between.
function drafts(share: number): fc.Arbitrary<NotificationDraft> {
  const part = (limit: number) => Math.max(1, Math.floor(limit * share))
  const url = text(part(LIMITS.url.maxChars - 20)).map((path) => `https://example.com/${path}`)
  const action: fc.Arbitrary<NotificationAction> = fc.record(
    {
      id: text(part(LIMITS.notification.maxActionIdChars)),
      title: text(part(LIMITS.action.maxTitleChars)),
      icon: text(part(LIMITS.action.maxIconChars)),
      url,
      method: fc.constantFrom('GET', 'DELETE'),
      headers: pairs(4, part(LIMITS.action.maxHeaderBytes)),
      body: text(part(LIMITS.action.maxBodyChars)),
      foreground: fc.boolean(),
      destructive: fc.boolean(),
      authentication_required: fc.boolean(),
      text_input: fc.boolean(),
      text_input_placeholder: text(part(LIMITS.notification.maxTextInputLabelChars)),
      text_input_button_title: text(part(LIMITS.notification.maxTextInputLabelChars)),
    },
    { requiredKeys: ['id', 'title'] },
  )
  return fc.record(
    {
      title: text(part(LIMITS.notification.maxTitleChars)),
      body: text(part(LIMITS.notification.maxBodyChars)),
      subtitle: text(part(LIMITS.notification.maxSubtitleChars)),
      level,
      volume: fc.double({ min: 0, max: 1, noNaN: true }),
      threadId: text(part(LIMITS.notification.maxThreadIdChars)),
      source: text(part(LIMITS.notification.maxSourceChars)),
      sourceDisplayName: text(part(LIMITS.notification.maxSourceDisplayNameChars)),
      url,
      media: fc.record({ url, type: fc.constantFrom('image', 'video', 'audio') }),
      actions: fc.array(action, { minLength: 1, maxLength: part(LIMITS.notification.maxActions), size: 'max' }),
      iconUrl: url,
      metadata: pairs(part(LIMITS.notification.maxMetadataKeys), part(LIMITS.notification.maxMetadataBytes)),
      activitySlug: fc.constantFrom('disk-check', 's'.repeat(part(LIMITS.slug.maxChars))),
    },
    { requiredKeys: ['title', 'body', 'level'] },
  )
}

const level = fc.constantFrom('passive' as const, 'active' as const, 'time-sensitive' as const, 'critical' as const)
const draft = fc.oneof(drafts(1), drafts(0.3), drafts(0.1), drafts(0.03))
const stored = {
  id: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }).map((id) => id as NotificationId),
  createdAt: fc.integer({ min: 0, max: 4e12 }).map(instant),
}
const notification: fc.Arbitrary<PushContent> = fc
  .tuple(draft, fc.record(stored))
  .map(([draft, stored]) => ({ ...draft, ...stored }))
const extras = fc.record(
  {
    badge: fc.nat(),
    ticket: fc.constant('t'.repeat(32)),
    collapseId: text(LIMITS.notification.maxCollapseIdChars),
  },
  { requiredKeys: ['badge'] },
)

// The same flat form for both channels: APNs has its own names for some members.
function readPush(push: string): Record<string, unknown> {
  const { aps, ...members } = JSON.parse(push)
  if (!aps) return members
  return { ...members, ...aps.alert, thread_id: aps['thread-id'], level: aps['interruption-level'], badge: aps.badge }
}

const shortenedOf = (push: string): string[] => JSON.parse(push).shortened ?? []

function wholeMembers(notification: PushContent): Record<string, unknown> {
  return {
    subtitle: notification.subtitle,
    thread_id: notification.threadId,
    source: notification.source,
    source_display_name: notification.sourceDisplayName,
    url: notification.url,
    media: notification.media,
    icon_url: notification.iconUrl,
    actions: notification.actions,
    metadata: notification.metadata,
    activity_slug: notification.activitySlug,
  }
}

// The size the push would have with these members instead.
function bytesWith(push: string, changed: Record<string, unknown>): number {
  const { aps, ...rest } = JSON.parse(push)
  if (!aps) return jsonBytes({ ...rest, ...changed })
  const { body, subtitle = aps.alert.subtitle, thread_id = aps['thread-id'], ...others } = changed
  const alert = { ...aps.alert, body, subtitle }
  return jsonBytes({ aps: { ...aps, alert, 'thread-id': thread_id }, ...rest, ...others })
}

const jsonBytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value))

const CHANNELS = [
  { push: apnsNotification, limitBytes: 4096 },
  { push: webPushNotification, limitBytes: 3993 },
]
type Sent = { notification: PushContent; text: string; limitBytes: number }

function forAnyPush(check: (sent: Sent) => void): void {
  const property = fc.property(notification, extras, (notification, extras) => {
    for (const { push, limitBytes } of CHANNELS)
      check({ notification, text: push({ notification, ...extras }), limitBytes })
  })
  fc.assert(property)
}

describe('R26: a push', () => {
  test('fits for any notification', () => {
    forAnyPush(({ text, limitBytes }) => {
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(limitBytes)
      expect(JSON.stringify(JSON.parse(text))).toBe(text)
      expect(text.isWellFormed()).toBe(true)
    })
  })

  test('is deterministic', () => {
    fc.assert(
      fc.property(notification, extras, (notification, extras) => {
        for (const { push } of CHANNELS) {
          expect(push({ notification: structuredClone(notification), ...extras })).toBe(
            push({ notification, ...extras }),
          )
        }
      }),
    )
  })

  test('always has the id, title, level and time', () => {
    forAnyPush(({ notification, text }) => {
      expect(readPush(text)).toMatchObject({
        notification_id: notification.id,
        title: notification.title,
        level: notification.level,
        created_at: toRfc3339(notification.createdAt),
      })
    })
  })

  test('keeps the category, and calls the extension even for members that were left out', () => {
    forAnyPush(({ notification: { actions, media, iconUrl }, text }) => {
      const { aps } = JSON.parse(text)
      if (!aps) return
      expect(aps.category).toBe(actions && 'HELIOGRAPH_ACTIONS')
      expect(aps['mutable-content']).toBe(actions || media || iconUrl ? 1 : undefined)
    })
  })

  test('has every member unchanged, or lists it as shortened', () => {
    forAnyPush(({ notification, text }) => {
      const sent = readPush(text)
      for (const [member, value] of Object.entries(wholeMembers(notification))) {
        if (shortenedOf(text).includes(member)) expect(sent[member]).not.toEqual(value)
        else expect(sent[member]).toEqual(value)
      }
    })
  })

  test('has the whole body, or the longest beginning that fits and an ellipsis', () => {
    forAnyPush(({ notification, text, limitBytes }) => {
      const body = String(readPush(text).body)
      if (!shortenedOf(text).includes('body')) {
        expect(body).toBe(notification.body)
        return
      }
      expect(body.endsWith('…')).toBe(true)
      expect(notification.body.startsWith(body.slice(0, -1))).toBe(true)
      expect([...body].length).toBeGreaterThan(100)
      const next = String.fromCodePoint(notification.body.codePointAt(body.length - 1) ?? 0)
      const nextBytes = jsonBytes(next) - jsonBytes('')
      expect(Buffer.byteLength(text) + nextBytes).toBeGreaterThan(limitBytes)
    })
  })

  test('is shortened only when the complete notification does not fit', () => {
    forAnyPush(({ notification, text, limitBytes }) => {
      if (shortenedOf(text).length === 0) {
        expect(JSON.parse(text)).not.toHaveProperty('shortened')
        return
      }
      const whole = { ...wholeMembers(notification), body: notification.body, shortened: undefined }
      expect(bytesWith(text, whole)).toBeGreaterThan(limitBytes)
    })
  })

  test('omits metadata only when it would not fit together with the first 100 characters of the body', () => {
    forAnyPush(({ notification, text, limitBytes }) => {
      if (!shortenedOf(text).includes('metadata')) return
      const opening = cut(notification.body, 100)
      const isCut = opening !== notification.body
      const others = shortenedOf(text).filter((member) => member !== 'metadata' && member !== 'body')
      const shortened = isCut ? ['body', ...others] : others
      const tried = { body: isCut ? `${opening}…` : opening, metadata: notification.metadata, shortened }
      expect(bytesWith(text, tried)).toBeGreaterThan(limitBytes)
    })
  })
})

describe('R26: an envelope', () => {
  // Few and short members, because an envelope with longer ones is mostly refused.
  const others = fc.record(
    {
      level,
      volume: fc.double({ min: 0, max: 1, noNaN: true }),
      threadId: text(20),
      sourceDisplayName: text(60),
      actions: fc.array(fc.record({ id: text(8), title: text(20) }), { minLength: 1, maxLength: 4 }),
      metadata: pairs(2, 200),
    },
    { requiredKeys: ['level'] },
  )
  const chars = fc.oneof(fc.constant(3072 - 13), fc.integer({ min: 2500, max: 3072 - 13 }))
  const sealed = fc.tuple(others, chars).map(([others, chars]): NotificationDraft => {
    const encrypted = `pw1.0a1b2c3d.${'A'.repeat(chars)}`
    return { ...others, title: 'Encrypted notification', body: 'End-to-end encrypted.', encrypted }
  })

  test('that was accepted is never refused at push time, and no other member is shortened', () => {
    fc.assert(
      fc.property(sealed.filter(encryptedFits), fc.record(stored), extras, (draft, stored, extras) => {
        const [alert, message] = [apnsNotification, webPushNotification].map((push) =>
          push({ notification: { ...draft, ...stored }, ...extras }),
        )
        expect(readPush(String(alert))).toMatchObject({ encrypted: draft.encrypted })
        expect(readPush(String(message))).toMatchObject({ encrypted: draft.encrypted })
        expect([...shortenedOf(String(alert)), ...shortenedOf(String(message))]).toEqual([])
      }),
    )
  })

  test('that was refused would not fit', () => {
    const widest = { badge: Number.MAX_SAFE_INTEGER, ticket: 't'.repeat(32), collapseId: 'c' }
    const id = Number.MAX_SAFE_INTEGER as NotificationId
    const tooLarge = expect.objectContaining({ problem: 'notification.encrypted_too_large' })
    fc.assert(
      fc.property(
        sealed.filter((draft) => !encryptedFits(draft)),
        (draft) => {
          const push = { notification: { ...draft, id, createdAt: instant(0) }, ...widest }
          expect(() => [apnsNotification(push), webPushNotification(push)]).toThrow(tooLarge)
        },
      ),
    )
  })
})
