// Requests of Uptime Kuma, healthchecks.io, Sonarr and its relatives.

const kuma = (status: number, msg: string, more: object = {}, tags: object[] = []) => ({
  heartbeat: { monitorID: 3, status, time: '2026-03-01 04:20:00.000', msg, ...more },
  monitor: { id: 3, name: 'Shop', url: 'https://shop.example/', type: 'http', tags },
  msg: `[Shop] ${msg}`,
})

export const KUMA = {
  down: kuma(0, 'connect ECONNREFUSED'),
  downAndCritical: kuma(0, 'timeout', {}, [{ name: 'priority', value: 'critical' }]),
  up: kuma(1, '200 - OK', { lastDownTime: '2026-03-01 04:08:00.000' }),
  maintenance: kuma(3, 'Monitor under maintenance'),
  test: { heartbeat: null, monitor: null, msg: 'My Kuma Testing' },
  certificate: {
    heartbeat: null,
    monitor: null,
    msg: '[Shop][https://shop.example/] server certificate shop.example will expire in 7 days',
  },
  // Of a type without an address.
  port: { heartbeat: { status: 0, msg: 'closed' }, monitor: { id: 9, name: 'Port', url: 'https://' }, msg: 'm' },
}

const check = (status: string) => ({
  name: 'weekly-copy',
  slug: 'weekly-copy',
  tags: 'attic disk',
  desc: 'rsync to the attic',
  n_pings: 9,
  status,
  last_ping: '2026-03-01T02:00:00+00:00',
  uuid: '0f0f0f0f-1111-4222-8333-444444444444',
  ping_url: 'https://ping.example/0f0f0f0f-1111-4222-8333-444444444444',
  update_url: 'https://hc.example/api/v3/checks/0f0f0f0f-1111-4222-8333-444444444444',
})

export const HEALTHCHECKS = { down: check('down'), up: check('up') }

const servarr = (eventType: string, more: object) => ({
  eventType,
  instanceName: 'Sonarr',
  applicationUrl: 'https://tv.example',
  ...more,
})

export const SERVARR = {
  grab: servarr('Grab', {
    series: { title: 'Night Shift', titleSlug: 'night-shift' },
    episodes: [{ seasonNumber: 2, episodeNumber: 4, title: 'Fog' }],
    release: { quality: 'WEBDL-720p', releaseTitle: 'Night.Shift.S02E04' },
  }),
  movie: servarr('Download', {
    instanceName: 'Radarr',
    movie: { title: 'Long Road', tmdbId: 42 },
    movieFile: { quality: 'Bluray-1080p', relativePath: 'Long Road.mkv' },
  }),
  health: servarr('Health', {
    level: 'warning',
    message: 'No indexer answers',
    type: 'IndexerCheck',
    wikiUrl: 'https://wiki.example/i',
  }),
  healthError: servarr('Health', { level: 'error', message: 'Disk is full', type: 'DiskCheck' }),
  seriesAdd: servarr('SeriesAdd', { series: { title: 'Night Shift', titleSlug: 'night-shift' } }),
  manual: servarr('ManualInteractionRequired', {
    series: { title: 'Night Shift', titleSlug: 'night-shift' },
    downloadInfo: { quality: 'WEBDL-720p', title: 'Night.Shift.S02E04' },
    downloadStatusMessages: [{ title: 'Night.Shift.S02E04', messages: ['Not an upgrade', 'Has no space'] }],
  }),
  restored: servarr('HealthRestored', { level: 'warning', message: 'No indexer answers', type: 'IndexerCheck' }),
}
