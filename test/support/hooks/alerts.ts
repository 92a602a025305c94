// Requests of Alertmanager and Grafana.

const alert = (host: string, status: 'firing' | 'resolved', more: object = {}) => ({
  status,
  labels: { alertname: 'TankLow', site: 'barn', instance: host, severity: 'critical' },
  annotations: {
    summary: `Tank of ${host} is low`,
    description: 'Below 5 %.',
    runbook_url: 'https://wiki.example/tank',
  },
  startsAt: '2026-03-01T04:00:00.000Z',
  endsAt: status === 'firing' ? '0001-01-01T00:00:00Z' : '2026-03-01T05:00:00.000Z',
  generatorURL: 'http://prometheus.example:9090/graph?g0.expr=tank',
  fingerprint: `f-${host}`,
  ...more,
})

export const alertmanager = (alerts: object[], more: object = {}) => ({
  receiver: 'phone',
  status: 'firing',
  alerts,
  groupLabels: { alertname: 'TankLow', site: 'barn' },
  commonLabels: { alertname: 'TankLow', site: 'barn', severity: 'critical' },
  commonAnnotations: { runbook_url: 'https://wiki.example/tank' },
  externalURL: 'http://alerts.example:9093',
  version: '4',
  groupKey: '{}:{alertname="TankLow", site="barn"}',
  truncatedAlerts: 0,
  ...more,
})

export const ALERTMANAGER = {
  firing: alertmanager([alert('pump1', 'firing'), alert('pump2', 'firing')]),
  one: alertmanager([alert('pump1', 'firing')]),
  partlyResolved: alertmanager([alert('pump1', 'firing'), alert('pump2', 'resolved')]),
  resolved: alertmanager([alert('pump1', 'resolved'), alert('pump2', 'resolved')], { status: 'resolved' }),
  // Without a common name or any annotation.
  mixed: alertmanager(
    [
      { status: 'firing', labels: { alertname: 'A', severity: 'info', zone: 'east' }, annotations: {} },
      {
        status: 'firing',
        labels: { alertname: 'B', severity: 'warning', zone: 'west' },
        annotations: { message: 'hot' },
      },
    ],
    { groupLabels: {}, commonLabels: {}, commonAnnotations: {}, truncatedAlerts: 3 },
  ),
}

const grafanaAlert = (status: 'firing' | 'resolved', more: object = {}) => ({
  status,
  labels: { alertname: 'Queue too long', grafana_folder: 'Mail', severity: 'warning' },
  annotations: { summary: 'The queue grows', description: '412 mails wait' },
  startsAt: '2026-03-01T04:00:00Z',
  endsAt: '0001-01-01T00:00:00Z',
  generatorURL: 'http://grafana.example/alerting/x/view',
  silenceURL: 'http://grafana.example/alerting/silence/new?matcher=a',
  dashboardURL: 'http://grafana.example/d/q',
  panelURL: 'http://grafana.example/d/q?viewPanel=2',
  imageURL: 'https://grafana.example/image.png',
  values: { A: 412 },
  ...more,
})

const grafana = (status: 'firing' | 'resolved', alerts: object[], more: object = {}) => ({
  receiver: 'phone',
  status,
  alerts,
  groupLabels: { alertname: 'Queue too long', grafana_folder: 'Mail' },
  commonLabels: { alertname: 'Queue too long', grafana_folder: 'Mail', severity: 'warning' },
  commonAnnotations: {},
  externalURL: 'http://grafana.example/',
  version: '1',
  groupKey: '{}:{alertname="Queue too long"}',
  truncatedAlerts: 0,
  orgId: 1,
  title: `[${status.toUpperCase()}:1] Queue too long Mail`,
  state: status === 'firing' ? 'alerting' : 'ok',
  message: '**Firing**\n\nValue: A=412',
  ...more,
})

export const GRAFANA = {
  // As a custom payload may have it.
  minimal: {
    status: 'firing',
    alerts: [
      { status: 'firing', labels: { alertname: 'Disk', severity: 'critical' }, annotations: { summary: '1 % left' } },
    ],
  },
  firing: grafana('firing', [grafanaAlert('firing')]),
  resolved: grafana('resolved', [grafanaAlert('resolved')]),
  test: grafana(
    'firing',
    [
      grafanaAlert('firing', {
        labels: { alertname: 'TestAlert' },
        annotations: {},
        panelURL: '',
        dashboardURL: '',
        values: null,
        imageURL: '',
      }),
    ],
    { commonLabels: { alertname: 'TestAlert' }, groupLabels: {}, groupKey: 'test-1', title: '[FIRING:1] TestAlert ' },
  ),
}
