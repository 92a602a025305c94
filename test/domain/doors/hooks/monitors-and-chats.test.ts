// What requests of monitors and of programs that know chats become.
import { describe, expect, test } from 'vitest'
import { APPRISE, DISCORD, SLACK, TEAMS } from '../../../support/hooks/chats.ts'
import { HEALTHCHECKS, KUMA, SERVARR } from '../../../support/hooks/monitors.ts'
import { become, DEFAULT_THREAD, type Row } from '../../../support/hooks/reading.ts'

const HC_BODY = 'rsync to the attic\nLast ping: 2026-03-01T02:00:00+00:00\nTags: attic disk'
const HC_URL = 'https://hc.example/checks/0f0f0f0f-1111-4222-8333-444444444444/details/'
const HC_THREAD = 'hc:0f0f0f0f-1111-4222-8333-444444444444'

const MONITOR_ROWS: Row[] = [
  [
    'uptime-kuma',
    { body: KUMA.down },
    'Shop is down',
    'connect ECONNREFUSED',
    'time-sensitive',
    'kuma:3',
    'https://shop.example/',
  ],
  [
    'uptime-kuma',
    { body: KUMA.downAndCritical },
    'Shop is down',
    'timeout',
    'critical',
    'kuma:3',
    'https://shop.example/',
  ],
  [
    'uptime-kuma',
    { body: KUMA.up },
    'Shop is up',
    '200 - OK\nDown for 12 min',
    'passive',
    'kuma:3',
    'https://shop.example/',
  ],
  [
    'uptime-kuma',
    { body: KUMA.maintenance },
    'Shop is under maintenance',
    'Monitor under maintenance',
    'passive',
    'kuma:3',
    'https://shop.example/',
  ],
  ['uptime-kuma', { body: KUMA.test }, 'Uptime Kuma', 'My Kuma Testing', 'active', DEFAULT_THREAD, undefined],
  [
    'uptime-kuma',
    { body: KUMA.certificate },
    'Shop',
    'server certificate shop.example will expire in 7 days',
    'active',
    DEFAULT_THREAD,
    'https://shop.example/',
  ],
  ['uptime-kuma', { body: KUMA.port }, 'Port is down', 'closed', 'time-sensitive', 'kuma:9', undefined],
  ['healthchecks', { body: HEALTHCHECKS.down }, 'weekly-copy is DOWN', HC_BODY, 'time-sensitive', HC_THREAD, HC_URL],
  ['healthchecks', { body: HEALTHCHECKS.up }, 'weekly-copy is UP', HC_BODY, 'passive', HC_THREAD, HC_URL],
  [
    'servarr',
    { body: SERVARR.grab },
    'Sonarr: Grab – Night Shift',
    'S02E04 Fog\nWEBDL-720p · Night.Shift.S02E04',
    'passive',
    'Sonarr',
    'https://tv.example/series/night-shift',
  ],
  [
    'servarr',
    { body: SERVARR.movie },
    'Radarr: Download – Long Road',
    'Bluray-1080p · Long Road.mkv',
    'active',
    'Radarr',
    'https://tv.example/movie/42',
  ],
  [
    'servarr',
    { body: SERVARR.health },
    'Sonarr: Health',
    'No indexer answers',
    'active',
    'Sonarr',
    'https://wiki.example/i',
  ],
  [
    'servarr',
    { body: SERVARR.healthError },
    'Sonarr: Health',
    'Disk is full',
    'time-sensitive',
    'Sonarr',
    'https://tv.example',
  ],
  [
    'servarr',
    { body: SERVARR.restored },
    'Sonarr: HealthRestored',
    'No indexer answers',
    'passive',
    'Sonarr',
    'https://tv.example',
  ],
  [
    'servarr',
    { body: SERVARR.seriesAdd },
    'Sonarr: SeriesAdd',
    'Night Shift',
    'active',
    'Sonarr',
    'https://tv.example/series/night-shift',
  ],
  [
    'servarr',
    { body: SERVARR.manual },
    'Sonarr: ManualInteractionRequired – Night Shift',
    'WEBDL-720p · Night.Shift.S02E04\nNight.Shift.S02E04: Not an upgrade, Has no space',
    'active',
    'Sonarr',
    'https://tv.example/series/night-shift',
  ],
]

const CHAT_ROWS: Row[] = [
  [
    'slack',
    { body: SLACK.text },
    'NAS: pool <tank> is at 91 % & grows',
    'See the report',
    'active',
    DEFAULT_THREAD,
    undefined,
  ],
  [
    'slack',
    { body: SLACK.marks },
    'My hook',
    'Deploy #9 (https://ci.example/9) by @ada done 🎉 @channel',
    'active',
    DEFAULT_THREAD,
    'https://ci.example/9',
  ],
  [
    'slack',
    { body: SLACK.attachments },
    'weekly-copy is DOWN',
    'No signal in time.\nProject: Attic',
    'time-sensitive',
    '#ops',
    'https://hc.example/c/1',
  ],
  ['slack', { body: SLACK.fallback }, 'My hook', 'All is well', 'passive', DEFAULT_THREAD, undefined],
  [
    'slack',
    { body: SLACK.blocks },
    'Shop',
    'Shop is down\nDown since 07:00\nMessage: ECONNREFUSED\nAttic',
    'time-sensitive',
    DEFAULT_THREAD,
    'https://kuma.example/3',
  ],
  [
    'slack',
    { body: SLACK.textBesideAttachments },
    'db-1 is CRITICAL: disk, 97 %',
    'Netdata\ndisk space usage\ndisk /var\nhome – db-1',
    'time-sensitive',
    DEFAULT_THREAD,
    undefined,
  ],
  ['slack', { body: SLACK.textBesideBlocks }, 'Shop', 'It answers again', 'active', DEFAULT_THREAD, undefined],
  [
    'slack',
    { body: SLACK.titleAlone },
    '[FIRING:1] DiskFull',
    'Alertmanager',
    'time-sensitive',
    '#ops',
    'https://alerts.example',
  ],
  [
    'teams',
    { body: TEAMS.adaptiveCard },
    'Shop is down',
    'Since 07:00\nMonitor: Shop\nError: ECONNREFUSED',
    'time-sensitive',
    DEFAULT_THREAD,
    'https://kuma.example/3',
  ],
  ['teams', { body: TEAMS.bareCard }, 'db-1 is down', 'for 5 min', 'active', DEFAULT_THREAD, undefined],
  [
    'teams',
    { body: TEAMS.messageCard },
    'nginx is out of date',
    'docker.example/nginx\nTag: 1.29',
    'time-sensitive',
    DEFAULT_THREAD,
    'https://hub.example/nginx',
  ],
  ['discord', { body: DISCORD.oneLine }, 'My hook', 'Shop is down.', 'active', DEFAULT_THREAD, undefined],
  ['discord', { body: DISCORD.content }, 'Kuma', 'Shop is down.', 'passive', DEFAULT_THREAD, undefined],
  [
    'discord',
    { body: DISCORD.embeds },
    'Shop went down',
    'Details\nSince: 2026-03-01 04:00 UTC\nError: ECONNREFUSED\nAlso\nThe mail',
    'time-sensitive',
    DEFAULT_THREAD,
    'https://shop.example',
  ],
  ['discord', { body: DISCORD.author }, 'Frigate', 'Motion', 'active', DEFAULT_THREAD, undefined],
  ['apprise', { body: APPRISE.api }, 'Copy', '**attic** finished', 'passive', 'ops', undefined],
  ['apprise', { body: APPRISE.json }, 'disk is full', 'of logs', 'time-sensitive', DEFAULT_THREAD, undefined],
]

describe.each([
  ['monitors', MONITOR_ROWS],
  ['chats', CHAT_ROWS],
])('%s', (_, rows) => {
  test.each(rows)('%s %#: $2', async (kind, sample, title, body, level, thread, url) => {
    const notification = await become(sample)
    expect(notification).toMatchObject({ kind, title, body, level, thread_id: thread })
    expect((notification as { url?: string }).url).toBe(url)
  })
})
