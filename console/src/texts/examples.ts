// Texts of the example widgets and activities with which a builder starts.
import { inLanguage } from '../language.ts'
import { EXAMPLES } from './german/examples.ts'

export const ENGLISH = {
  widgets: {
    value: {
      name: 'Visitors',
      label: 'Visitors today',
      subtitle: '12% more than last Sunday',
      rows: { new: 'New', returning: 'Returning', longest: 'Longest stay' },
    },
    progress: { name: 'Backup', label: 'Backup', subtitle: '134 of 216 GB' },
    status: { name: 'Production', label: 'All systems go', subtitle: '14 of 14 checks are green' },
    gauge: { name: 'Office', subtitle: 'Window closed' },
    stat_list: {
      name: 'Builds',
      rows: {
        passed: 'Passed today',
        median: 'Median time',
        sinceFailure: 'Since last failure',
        queue: 'Queue',
        coverage: 'Coverage',
      },
    },
    trend: { name: 'Latency', subtitle: 'p95 of the last two hours' },
    countdown: { name: 'Release 2.0', expired: 'It is out' },
    battery: { name: 'Batteries', devices: { door: 'Front door', watch: 'Watch', phone: 'Phone', car: 'Car' } },
    schedule: { name: 'Power price', label: 'Price per kWh' },
    flow: { name: 'Home power', solar: 'Solar', grid: 'Grid', battery: 'Battery', home: 'Home' },
  },
  activities: {
    generic: { name: 'Washing machine', state: 'Rinsing', subtitle: 'Cotton 40°' },
    countdown: { name: 'Pizza', state: 'In the oven', completion: 'The pizza is ready' },
    steps: {
      name: 'Deploy v1.2',
      state: 'Running the tests',
      labels: ['Check out', 'Build', 'Test', 'Canary', 'Roll out'],
    },
    alert: {
      state: 'Disk almost full',
      subtitle: '/var is at 97 %',
      severity: 'Critical',
      runbook: 'Runbook',
    },
    gauge: { name: 'Car', state: 'Charging at 11 kW' },
    timeline: { name: 'API', state: 'Latency is falling again', limit: 'limit' },
    board: {
      name: 'Shop',
      state: 'A busy Sunday',
      tiles: { orders: 'Orders', revenue: 'Revenue', returns: 'Returns', queue: 'Queue' },
    },
    log: {
      name: 'Nightly import',
      state: '8 of 12 files',
      rows: (file: string, count: number) => `${file}: ${count.toLocaleString('en')} rows`,
      skipped: (file: string, count: number) => `${file}: ${count} rows skipped`,
      unreadable: (file: string) => `${file}: not readable`,
    },
    media: { name: 'Living room' },
    approval: {
      name: 'Release',
      state: 'Deploy v1.2 to production?',
      commit: 'Commit',
      checks: 'Checks',
      green: '214 of 214 are green',
      options: { deploy: 'Deploy', later: 'Not now', reject: 'Reject' },
    },
  },
}

export const EXAMPLE_TEXTS = inLanguage({ en: ENGLISH, de: EXAMPLES })
