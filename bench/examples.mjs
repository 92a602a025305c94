// The requests of the benchmarks: the content of a widget, a notification and two activities, of ordinary size.

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

export const STEPS = {
  template: 'steps',
  total_steps: 4,
  current_step: 2,
  step_labels: ['Lint', 'Build', 'Test', 'Deploy'],
  state: 'Building',
  subtitle: 'main',
  progress: 0.5,
  icon: 'hammer.fill',
  accent_color: 'blue',
}

export const SERIES = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`Sensor ${index}`, 20 + index / 3]))
