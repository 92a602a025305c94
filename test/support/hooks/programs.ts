// Requests of programs that watch servers, deploy, and keep films, documents and pages.

const gatus = (status: string) => ({
  endpoint_name: 'shop',
  endpoint_group: 'web',
  endpoint_url: 'https://shop.example/health',
  alert_description: 'The shop does not answer',
  status,
  result_errors: status === 'TRIGGERED' ? 'context deadline exceeded' : '',
})

export const GATUS = { triggered: gatus('TRIGGERED'), resolved: gatus('RESOLVED') }

const komodo = (
  level: string,
  resolved: boolean,
  type: string,
  data: object,
  target = { type: 'Server', id: 's1' },
) => ({
  ts: 1772337600000,
  resolved,
  resolved_ts: resolved ? 1772337660000 : null,
  level,
  target,
  data: { type, data: { id: 's1', name: 'attic', ...data } },
})

export const KOMODO = {
  unreachable: komodo('CRITICAL', false, 'ServerUnreachable', {
    region: null,
    err: { error: 'no route to host', trace: ['a', 'b'] },
  }),
  reachable: komodo('CRITICAL', true, 'ServerUnreachable', { region: null, err: null }),
  disk: komodo('WARNING', false, 'ServerDisk', { path: '/srv', used_gb: 91.23456, total_gb: 100 }),
  // Over as soon as it happens, which Komodo calls resolved.
  build: komodo('WARNING', true, 'BuildFailed', { name: 'shop', version: { major: 1 } }, { type: 'Build', id: 'b1' }),
  custom: komodo('OK', true, 'Custom', { name: undefined, message: 'Deploy done', details: 'in 3 min' }),
}

const backrest = (event: string, more: object = {}) => ({
  event,
  plan: 'nightly',
  repo: 'attic',
  snapshot_id: 'f00d',
  data_added: 0,
  error: '',
  ...more,
})

export const BACKREST = {
  started: backrest('CONDITION_SNAPSHOT_START'),
  failed: backrest('CONDITION_SNAPSHOT_ERROR', { error: 'repository is locked' }),
  succeeded: backrest('CONDITION_SNAPSHOT_SUCCESS', { data_added: 12_345_678 }),
  warned: backrest('CONDITION_SNAPSHOT_WARNING'),
  anyError: backrest('CONDITION_ANY_ERROR', { plan: '_system_', error: 'disk is full' }),
}

const argocd = (event: string, more: object = {}) => ({
  app: 'shop',
  event,
  revision: '0123456789abcdef',
  repo_url: 'https://git.example/shop',
  ...more,
})

export const ARGOCD = {
  running: argocd('sync-running'),
  degraded: argocd('on-health-degraded', {
    url: 'https://argocd.example/applications/shop',
    message: '1 pod restarts',
  }),
  failed: argocd('sync-failed'),
  deployed: argocd('deployed'),
}

const proxmox = (severity: string, more: object = {}) => ({
  type: 'vzdump',
  title: 'vzdump backup status (pve1): backup failed',
  message: 'VM 100: no space left',
  severity,
  hostname: 'pve1',
  ...more,
})

export const PROXMOX = {
  failed: proxmox('error'),
  done: proxmox('info', { title: 'vzdump backup status (pve1): backup successful', message: 'VM 100: 12 GB' }),
  withFields: {
    title: 'Updates',
    message: '3 packages',
    severity: 'notice',
    fields: { hostname: 'pve1', type: 'package-updates' },
  },
}

const truenas = (said: string) => ({ text: `TrueNAS @ nas1\n\n${said}\n` })
const POOL =
  '  * Pool tank state is DEGRADED: One or more devices could not be used because the\nlabel is &quot;missing&quot;.'

export const TRUENAS = {
  begun: truenas(`New alerts:\n\n${POOL}\n\nCurrent alerts:\n\n${POOL}\n  * Old`),
  cleared: truenas(`The following alert has been cleared:\n\n${POOL}\n`),
  several: truenas(`New alerts:\n\n  * One\n  * Two\n\nThe following alert has been cleared:\n\n  * Three\n`),
  test: truenas('This is a test alert'),
}

const jellyfin = (NotificationType: string, more: object = {}) => ({
  ServerId: 'f00d',
  ServerName: 'Attic',
  ServerVersion: '10.11.0',
  ServerUrl: 'https://films.example/',
  NotificationType,
  ...more,
})

const EPISODE = {
  Name: 'Fog',
  SeriesName: 'Night Shift',
  SeasonNumber: 2,
  EpisodeNumber: 4,
  ItemId: 'i1',
  ItemType: 'Episode',
}

export const JELLYFIN = {
  added: jellyfin('ItemAdded', { Name: 'Long Road', Year: 2026, ItemId: 'i2', Overview: 'A road.' }),
  played: jellyfin('PlaybackStart', { ...EPISODE, NotificationUsername: 'ada', DeviceName: 'TV', ClientName: 'Web' }),
  progress: jellyfin('PlaybackProgress', EPISODE),
  login: jellyfin('AuthenticationFailure', { Username: 'eve', DeviceName: 'Phone' }),
  taskFailed: jellyfin('TaskCompleted', {
    TaskName: 'Scan',
    ResultStatus: 'Failed',
    ResultErrorMessage: 'No such folder',
  }),
  taskDone: jellyfin('TaskCompleted', { TaskName: 'Scan', ResultStatus: 'Completed' }),
}

const overseerr = (notification_type: string, event: string, more: object = {}) => ({
  notification_type,
  event,
  subject: 'Long Road (2026)',
  message: 'A road.',
  image: 'https://image.example/road.jpg',
  media: { media_type: 'movie', tmdbId: '42', tvdbId: '', status: 'PENDING', status4k: 'UNKNOWN' },
  request: { request_id: '7', requestedBy_username: 'ada', requestedBy_email: 'ada@example.org' },
  issue: null,
  comment: null,
  extra: [],
  ...more,
})

const ISSUE = {
  request: null,
  issue: { issue_id: '3', issue_type: 'VIDEO', issue_status: 'OPEN', reportedBy_username: 'bob' },
  extra: [{ name: 'Affected Season', value: '2' }],
}

export const OVERSEERR = {
  pending: overseerr('MEDIA_PENDING', 'New Movie Request'),
  available: overseerr('MEDIA_AVAILABLE', 'Movie Request Now Available'),
  failed: overseerr('MEDIA_FAILED', ''),
  issue: overseerr('ISSUE_CREATED', 'New Video Issue Reported', { ...ISSUE, message: 'No sound' }),
  issueResolved: overseerr('ISSUE_RESOLVED', 'Video Issue Resolved', { ...ISSUE, message: 'No sound' }),
  comment: overseerr('ISSUE_COMMENT', 'New Comment on Video Issue', {
    ...ISSUE,
    message: 'No sound',
    comment: { comment_message: 'Mine, too', commentedBy_username: 'cy' },
  }),
}

export const PAPERLESS = {
  added: {
    event: 'added',
    doc_id: 12,
    title: 'Electricity 2026',
    correspondent: 'Power Ltd',
    document_type: 'Invoice',
    tags: 'home, energy',
    doc_url: 'https://papers.example/documents/12/',
    filename: 'scan.pdf',
  },
  started: { event: 'consumption_started', filename: 'scan.pdf' },
}

export const CHANGEDETECTION = {
  url: 'https://shop.example/tea',
  title: 'Tea',
  tag: 'prices',
  diff_url: 'https://watch.example/diff/1',
  preview_url: 'https://watch.example/preview/1',
  triggered_text: '12 € → 9 €',
}
