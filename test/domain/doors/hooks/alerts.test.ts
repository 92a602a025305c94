// What requests of Alertmanager and Grafana become.
import { describe, expect, test } from 'vitest'
import { ALERTMANAGER, GRAFANA } from '../../../support/hooks/alerts.ts'
import { become, type Row } from '../../../support/hooks/reading.ts'

const AM_THREAD = expect.stringMatching(/^am:[\w-]{22}$/) as unknown as string

const ALERT_ROWS: Row[] = [
  [
    'alertmanager',
    { body: ALERTMANAGER.firing },
    '2 × TankLow',
    'Tank of pump1 is low\nTank of pump2 is low',
    'critical',
    AM_THREAD,
    'http://alerts.example:9093',
  ],
  [
    'alertmanager',
    { body: ALERTMANAGER.one },
    'TankLow',
    'Tank of pump1 is low',
    'critical',
    AM_THREAD,
    'http://prometheus.example:9090/graph?g0.expr=tank',
  ],
  [
    'alertmanager',
    { body: ALERTMANAGER.partlyResolved },
    'TankLow',
    'Tank of pump1 is low\nResolved: Tank of pump2 is low',
    'critical',
    AM_THREAD,
    'http://alerts.example:9093',
  ],
  [
    'alertmanager',
    { body: ALERTMANAGER.resolved },
    'Resolved: 2 × TankLow',
    'Tank of pump1 is low\nTank of pump2 is low',
    'passive',
    AM_THREAD,
    'http://alerts.example:9093',
  ],
  [
    'alertmanager',
    { body: ALERTMANAGER.mixed },
    '2 alerts',
    'alertname=A, severity=info, zone=east\nhot\n+3',
    'time-sensitive',
    AM_THREAD,
    'http://alerts.example:9093',
  ],
  [
    'grafana',
    { body: GRAFANA.firing },
    '[FIRING:1] Queue too long Mail',
    'The queue grows\n412 mails wait',
    'time-sensitive',
    'grafana:Mail/Queue too long',
    'http://grafana.example/d/q?viewPanel=2',
  ],
  ['grafana', { body: GRAFANA.minimal }, 'Disk', '1 % left', 'critical', 'grafana:/Disk', undefined],
  [
    'grafana',
    { body: GRAFANA.resolved },
    '[RESOLVED:1] Queue too long Mail',
    'The queue grows\n412 mails wait',
    'passive',
    'grafana:Mail/Queue too long',
    'http://grafana.example/d/q?viewPanel=2',
  ],
  [
    'grafana',
    { body: GRAFANA.test },
    '[FIRING:1] TestAlert',
    'Firing\n\nValue: A=412',
    'active',
    'grafana:/TestAlert',
    'http://grafana.example/alerting/x/view',
  ],
]

test.each(ALERT_ROWS)('%s %#: $2', async (kind, sample, title, body, level, thread, url) => {
  const notification = await become(sample)
  expect(notification).toMatchObject({ kind, title, body, level, thread_id: thread })
  expect((notification as { url?: string }).url).toBe(url)
})

describe('actions and pictures', () => {
  const URLS = (notification: { actions?: { id: string; url?: string }[] | null }) =>
    Object.fromEntries((notification.actions ?? []).map(({ id, url }) => [id, url]))

  test('Alertmanager has the runbook and a silence of the group', async () => {
    expect(URLS((await become({ body: ALERTMANAGER.firing })) as object)).toEqual({
      runbook: 'https://wiki.example/tank',
      silence: `http://alerts.example:9093/#/silences/new?filter=${encodeURIComponent('{alertname="TankLow",site="barn"}')}`,
    })
    expect(URLS((await become({ body: ALERTMANAGER.resolved })) as object)).toEqual({
      runbook: 'https://wiki.example/tank',
    })
  })

  test('Grafana has a silence and its picture', async () => {
    const notification = await become({ body: GRAFANA.firing })
    expect(URLS(notification as object)).toEqual({ silence: 'http://grafana.example/alerting/silence/new?matcher=a' })
    expect(notification).toMatchObject({ media: { url: 'https://grafana.example/image.png', type: 'image' } })
  })
})
