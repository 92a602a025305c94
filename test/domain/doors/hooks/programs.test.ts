// What requests of programs that watch servers, deploy, and keep films, documents and pages become.
import { describe, expect, test } from 'vitest'
import { type ReadableKind, readReport } from '../../../../src/domain/hooks/kinds.ts'
import { isDropped } from '../../../../src/domain/hooks/message.ts'
import { toNotification } from '../../../../src/domain/hooks/notification.ts'
import {
  ARGOCD,
  BACKREST,
  CHANGEDETECTION,
  GATUS,
  JELLYFIN,
  KOMODO,
  OVERSEERR,
  PAPERLESS,
  PROXMOX,
  TRUENAS,
} from '../../../support/hooks/programs.ts'
import { become, DEFAULT_THREAD, HOOK, read } from '../../../support/hooks/reading.ts'

// sample, title, body, level, thread, url
type ProgramRow = [object, string, string, string, string, string?]

const SHOP = 'https://shop.example/health'
const GIT = 'https://git.example/shop'
const POOL = 'Pool tank state is DEGRADED: One or more devices could not be used because the label is "missing".'

const ROWS: Record<string, ProgramRow[]> = {
  gatus: [
    [
      GATUS.triggered,
      'web/shop is down',
      'The shop does not answer\ncontext deadline exceeded',
      'time-sensitive',
      'gatus:web/shop',
      SHOP,
    ],
    [GATUS.resolved, 'web/shop is up', 'The shop does not answer', 'passive', 'gatus:web/shop', SHOP],
  ],
  komodo: [
    [KOMODO.unreachable, 'attic: Server unreachable', 'Err: no route to host', 'critical', 'komodo:Server:s1'],
    [KOMODO.reachable, 'Resolved: attic: Server unreachable', 'My hook', 'passive', 'komodo:Server:s1'],
    [
      KOMODO.disk,
      'attic: Server disk',
      'Path: /srv\nUsed gb: 91.2\nTotal gb: 100',
      'time-sensitive',
      'komodo:Server:s1',
    ],
    [KOMODO.build, 'shop: Build failed', 'My hook', 'time-sensitive', 'komodo:Build:b1'],
    [KOMODO.custom, 'Deploy done', 'in 3 min', 'passive', 'komodo:Server:s1'],
  ],
  backrest: [
    [BACKREST.started, 'nightly: snapshot start', 'Repository: attic', 'passive', 'backrest:attic'],
    [
      BACKREST.failed,
      'nightly: snapshot error',
      'repository is locked\nRepository: attic',
      'time-sensitive',
      'backrest:attic',
    ],
    [BACKREST.succeeded, 'nightly: snapshot success', 'Repository: attic\nAdded: 12.3 MB', 'passive', 'backrest:attic'],
    [BACKREST.warned, 'nightly: snapshot warning', 'Repository: attic', 'active', 'backrest:attic'],
    [BACKREST.anyError, 'attic: any error', 'disk is full\nRepository: attic', 'time-sensitive', 'backrest:attic'],
  ],
  argocd: [
    [ARGOCD.running, 'shop: syncing', `Revision: 0123456789ab\n${GIT}`, 'passive', 'argocd:shop', GIT],
    [
      ARGOCD.degraded,
      'shop: degraded',
      `1 pod restarts\nRevision: 0123456789ab\n${GIT}`,
      'time-sensitive',
      'argocd:shop',
      'https://argocd.example/applications/shop',
    ],
    [ARGOCD.failed, 'shop: sync failed', `Revision: 0123456789ab\n${GIT}`, 'time-sensitive', 'argocd:shop', GIT],
    [ARGOCD.deployed, 'shop: deployed', `Revision: 0123456789ab\n${GIT}`, 'passive', 'argocd:shop', GIT],
  ],
  proxmox: [
    [PROXMOX.failed, PROXMOX.failed.title, 'VM 100: no space left', 'time-sensitive', 'proxmox:pve1:vzdump'],
    [PROXMOX.done, PROXMOX.done.title, 'VM 100: 12 GB', 'passive', 'proxmox:pve1:vzdump'],
    [PROXMOX.withFields, 'Updates', '3 packages', 'active', 'proxmox:pve1:package-updates'],
  ],
  truenas: [
    [TRUENAS.begun, 'nas1: new alert', POOL, 'time-sensitive', 'truenas:nas1'],
    [TRUENAS.cleared, 'nas1: cleared alert', POOL, 'passive', 'truenas:nas1'],
    [TRUENAS.several, 'nas1: new alerts', 'One\nTwo\nCleared: Three', 'time-sensitive', 'truenas:nas1'],
    [TRUENAS.test, 'nas1', 'This is a test alert', 'active', 'truenas:nas1'],
  ],
  jellyfin: [
    [
      JELLYFIN.added,
      'Item added: Long Road (2026)',
      'Attic\nA road.',
      'active',
      'jellyfin:Attic',
      'https://films.example/web/#/details?id=i2',
    ],
    [
      JELLYFIN.played,
      'Playback start: Night Shift S02E04 Fog',
      'ada · TV · Web · Attic',
      'passive',
      'jellyfin:Attic',
      'https://films.example/web/#/details?id=i1',
    ],
    [JELLYFIN.login, 'Authentication failure: eve', 'Phone · Attic', 'time-sensitive', 'jellyfin:Attic'],
    [JELLYFIN.taskFailed, 'Task completed: Scan', 'Attic\nFailed\nNo such folder', 'time-sensitive', 'jellyfin:Attic'],
    [JELLYFIN.taskDone, 'Task completed: Scan', 'Attic\nCompleted', 'passive', 'jellyfin:Attic'],
  ],
  overseerr: [
    [
      OVERSEERR.pending,
      'New Movie Request: Long Road (2026)',
      'A road.\nRequested by ada',
      'active',
      'overseerr:movie:42',
    ],
    [
      OVERSEERR.failed,
      'Media failed: Long Road (2026)',
      'A road.\nRequested by ada',
      'time-sensitive',
      'overseerr:movie:42',
    ],
    [
      OVERSEERR.issue,
      'New Video Issue Reported: Long Road (2026)',
      'No sound\nReported by bob\nAffected Season: 2',
      'active',
      'overseerr:issue:3',
    ],
    [
      OVERSEERR.comment,
      'New Comment on Video Issue: Long Road (2026)',
      'cy: Mine, too\nNo sound\nReported by bob\nAffected Season: 2',
      'active',
      'overseerr:issue:3',
    ],
    [
      OVERSEERR.issueResolved,
      'Video Issue Resolved: Long Road (2026)',
      'No sound\nReported by bob\nAffected Season: 2',
      'passive',
      'overseerr:issue:3',
    ],
  ],
  paperless: [
    [
      PAPERLESS.added,
      'Document added: Electricity 2026',
      'Power Ltd · Invoice\nTags: home, energy\nscan.pdf',
      'active',
      DEFAULT_THREAD,
      'https://papers.example/documents/12/',
    ],
    [PAPERLESS.started, 'Document is being read: scan.pdf', 'My hook', 'passive', DEFAULT_THREAD],
  ],
  changedetection: [
    [
      CHANGEDETECTION,
      'Tea changed',
      '12 € → 9 €\nhttps://shop.example/tea',
      'active',
      'changedetection:prices',
      'https://watch.example/diff/1',
    ],
  ],
}

describe.each(Object.entries(ROWS))('%s', (kind, rows) => {
  test.each(rows)('%#: $1', async (body, title, text, level, thread, url) => {
    const expected = { title, body: text, level, thread_id: thread, url }
    expect(await become({ body })).toMatchObject({ kind, ...expected })
    const report = readReport(kind as ReadableKind, await read(body), {})
    if (isDropped(report)) throw new Error(report.dropped)
    expect(toNotification(HOOK, kind as ReadableKind, report)).toMatchObject(expected)
  })
})

test('the progress of a playback is no news', async () => {
  expect(await become({ body: JELLYFIN.progress })).toEqual({ kind: 'jellyfin', dropped: 'PlaybackProgress' })
})

describe('an alert and its end', () => {
  test.each<[string, object, object]>([
    ['Gatus', GATUS.triggered, GATUS.resolved],
    ['Komodo', KOMODO.unreachable, KOMODO.reachable],
    ['Backrest', BACKREST.failed, BACKREST.succeeded],
    ['Argo CD, degraded', ARGOCD.degraded, ARGOCD.deployed],
    ['Argo CD, failed', ARGOCD.failed, ARGOCD.deployed],
    ['TrueNAS', TRUENAS.begun, TRUENAS.cleared],
    ['Jellyfin', JELLYFIN.taskFailed, JELLYFIN.taskDone],
    ['Overseerr', OVERSEERR.issue, OVERSEERR.issueResolved],
  ])('of %s have one collapse id', async (_, first, second) => {
    const begun = await become({ body: first })
    const ended = await become({ body: second })
    expect(begun).toMatchObject({ collapse_id: expect.any(String), door: { message: { state: 'firing' } } })
    expect(ended).toMatchObject({
      collapse_id: (begun as { collapse_id: string }).collapse_id,
      door: { message: { state: 'resolved' } },
    })
  })

  test.each([KOMODO.build, BACKREST.started, BACKREST.anyError, ARGOCD.running, TRUENAS.several, PROXMOX.failed])(
    'what has no end has no state: %#',
    async (body) => {
      expect(await become({ body })).toMatchObject({ door: { message: { state: undefined } } })
    },
  )
})
