// What the benchmarks send: one widget's content and one notification, of an ordinary size.

export const CONTENT = { template: 'gauge', value: 21.5, min_value: 0, max_value: 40, unit: '°C', label: 'Office' }

export const MESSAGE = {
  title: 'Build 4711 passed',
  subtitle: 'main',
  body: 'All 1,208 checks passed in 4 minutes and 12 seconds.',
  level: 'active',
  thread_id: 'ci',
  source: 'ci',
  url: 'https://example.org/builds/4711',
}
