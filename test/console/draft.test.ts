// The requests of the builder, which are validated, saved and shown as curl.
import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  activityRequests,
  asCurl,
  asDryRun,
  type Draft,
  patchBetween,
  widgetRequests,
} from '../../console/src/builder/draft.ts'
import { mergePatch } from '../../src/domain/merge-patch.ts'

const DRAFT: Draft = {
  slug: 'office',
  name: 'Office',
  content: { template: 'value', value: 1 },
  settings: { push_throttle: 30, stale_after: undefined },
  isOngoing: true,
}

describe('requests', () => {
  test('a widget is posted completely, without settings that are not set', () => {
    expect(widgetRequests(DRAFT)).toEqual([
      {
        method: 'POST',
        path: '/widgets',
        body: { slug: 'office', name: 'Office', push_throttle: 30, content: { template: 'value', value: 1 } },
      },
    ])
  })

  test('an activity is patched with the changes, and null for removed members', () => {
    const [, patch] = activityRequests(DRAFT, { template: 'value', value: 2, unit: 'kW' })
    expect(patch).toEqual({
      method: 'PATCH',
      path: '/activities/office?upsert=true',
      body: { state: 'ongoing', content: { value: 1, unit: null } },
    })
  })

  test('an activity of another account is patched by its id, with its settings and without its name', () => {
    const draft = { ...DRAFT, settings: { priority: 3, ended_ttl: undefined }, sharedId: 'a-uuid' }
    expect(activityRequests(draft, { template: 'value' })).toEqual([
      { method: 'PATCH', path: '/activities/a-uuid', body: { priority: 3, state: 'ongoing', content: { value: 1 } } },
    ])
  })

  test('the patch between two documents turns one into the other', () => {
    // A merge patch cannot store null, so no document contains one.
    const leaf = fc.oneof(fc.integer(), fc.string(), fc.boolean(), fc.array(fc.integer(), { maxLength: 3 }))
    const name = fc.constantFrom('a', 'b', 'c')
    const document = fc.dictionary(name, fc.oneof(leaf, fc.dictionary(name, leaf, { noNullPrototype: true })), {
      noNullPrototype: true,
    })
    fc.assert(
      fc.property(document, document, (before, after) => {
        expect(mergePatch(before, patchBetween(before, after))).toEqual(after)
      }),
    )
  })

  test('a dry run is the same request with dry_run=true', () => {
    const [post, patch] = activityRequests(DRAFT, {})
    expect(asDryRun(post as never).path).toBe('/activities?dry_run=true')
    expect(asDryRun(patch as never).path).toBe('/activities/office?upsert=true&dry_run=true')
  })
})

describe('curl', () => {
  test('a shell passes on exactly the body that the builder would send', () => {
    const draft = { ...DRAFT, name: `Ada's "office" $HOME \`id\` \\n` }
    const command = asCurl(widgetRequests(draft), 'https://helio.example')
    const script = `curl() { for last; do :; done; printf %s "$last"; }\n${command}`
    const body = execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8' })
    expect(JSON.parse(body)).toEqual(widgetRequests(draft)[0]?.body)
  })

  test('the key is a variable', () => {
    expect(asCurl(widgetRequests(DRAFT), 'https://helio.example')).toContain('"Authorization: Bearer $HELIOGRAPH_KEY"')
  })
})
