// Metrics in memory, and their text for Prometheus together with the defaults of prom-client: process, garbage
// collection, event loop. Loaded only if a metrics port is configured.
import { collectDefaultMetrics, Registry } from 'prom-client'
import { JOB_KINDS, type JobKind } from '../../domain/jobs.ts'
import { createCounts, createHistogram, gaugeText, type Instrument, type Sample } from './instruments.ts'
import { type ConnectionLimit, JOB_OUTCOMES, type Metrics } from './metrics.ts'
import { METRICS, type MetricName } from './table.ts'

// What is read at the time of a scrape. A part that cannot be read is undefined, and its metrics have no samples.
export type Readings = {
  build: { version: string; node: string; database: string }
  openConnections: number | undefined
  backlog: readonly { kind: JobKind; due: number; latenessSeconds: number }[] | undefined
  database: { isWritable: boolean; waiting: number; connections?: { used: number; idle: number } }
}

export type PrometheusMetrics = {
  metrics: Metrics
  contentType: string
  text(readings: Readings): Promise<string>
}

export function createPrometheusMetrics(): PrometheusMetrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const { metrics, instruments } = createMetrics()
  return {
    metrics,
    contentType: registry.contentType,
    async text(readings) {
      const defaults = await registry.metrics()
      return [...instruments.map((instrument) => instrument.text()), readingsText(readings), defaults].join('')
    },
  }
}

function createMetrics(): { metrics: Metrics; instruments: Instrument[] } {
  const instruments: Instrument[] = []
  const keep = <Kept extends Instrument>(instrument: Kept): Kept => {
    instruments.push(instrument)
    return instrument
  }
  const counter = (name: MetricName) => keep(createCounts({ name, ...METRICS[name] }, 'counter'))
  const gauge = (name: MetricName) => keep(createCounts({ name, ...METRICS[name] }, 'gauge'))
  const histogram = (name: HistogramName) => keep(createHistogram({ name, ...METRICS[name] }, METRICS[name].buckets))

  const requests = counter('heliograph_http_requests_total')
  const requestSeconds = histogram('heliograph_http_request_duration_seconds')
  const problems = counter('heliograph_problems_total')
  const refused = counter('heliograph_connections_refused_total')
  const held = {
    waits: gauge('heliograph_open_waits').of(),
    'event streams': gauge('heliograph_open_event_streams').of(),
  }
  const jobRuns = counter('heliograph_job_runs_total')
  const jobsRunning = gauge('heliograph_jobs_running')
  const jobSeconds = histogram('heliograph_job_duration_seconds')
  const pushes = counter('heliograph_pushes_total')
  const pushSeconds = histogram('heliograph_push_duration_seconds')
  const emails = counter('heliograph_emails_total')
  const callbacks = counter('heliograph_callbacks_total')
  const transactionSeconds = histogram('heliograph_database_transaction_duration_seconds').of()
  const readSeconds = histogram('heliograph_database_read_duration_seconds').of()
  const groupSize = histogram('heliograph_database_commit_group_size').of()
  const groupSeconds = histogram('heliograph_database_commit_group_duration_seconds').of()

  // Prometheus sees the first increase of a counter only if it was exported with 0 before.
  for (const kind of JOB_KINDS) for (const outcome of JOB_OUTCOMES) jobRuns.of(kind, outcome)
  for (const limit of ['server', 'address'] satisfies ConnectionLimit[]) refused.of(limit)

  const metrics: Metrics = {
    isOn: true,
    requestEnded({ method, route = 'none', status, ms, isHeld, problem }) {
      requests.of(method, route, status).value += 1
      if (!isHeld) requestSeconds.of(method, route).observe(ms / 1000)
      if (problem !== undefined) problems.of(problem).value += 1
    },
    connectionRefused(limit) {
      refused.of(limit).value += 1
    },
    heldChanged(what, change) {
      held[what].value += change
    },
    jobStarted(kind) {
      jobsRunning.of(kind).value += 1
    },
    jobEnded(kind, outcome, ms) {
      jobsRunning.of(kind).value -= 1
      jobRuns.of(kind, outcome).value += 1
      jobSeconds.of(kind).observe(ms / 1000)
    },
    pushEnded({ channel, result, reason, ms }) {
      pushes.of(channel, result, reason).value += 1
      pushSeconds.of(channel).observe(ms / 1000)
    },
    mailEnded(result) {
      emails.of(result).value += 1
    },
    callbackEnded(result) {
      callbacks.of(result).value += 1
    },
    database: {
      transactionEnded: (ms) => transactionSeconds.observe(ms / 1000),
      readEnded: (ms) => readSeconds.observe(ms / 1000),
      groupCommitted(size, ms) {
        groupSize.observe(size)
        groupSeconds.observe(ms / 1000)
      },
    },
  }
  return { metrics, instruments }
}

type HistogramName = {
  [Name in MetricName]: (typeof METRICS)[Name] extends { type: 'histogram' } ? Name : never
}[MetricName]

function readingsText({ build, openConnections, backlog, database }: Readings): string {
  const gauge = (name: MetricName, samples: Sample[]) => gaugeText({ name, ...METRICS[name] }, samples)
  const single = (value: number): Sample[] => [{ values: [], value }]
  // Kinds without a due job are exported too: a series that comes and goes cannot be graphed or compared.
  const ofKinds = (read: 'due' | 'latenessSeconds'): Sample[] => {
    if (!backlog) return []
    const known = new Map(backlog.map((one) => [one.kind, one[read]]))
    return JOB_KINDS.map((kind) => ({ values: [kind], value: known.get(kind) ?? 0 }))
  }
  const { isWritable, waiting, connections } = database
  const ofStates = Object.entries(connections ?? {}).map(([state, value]) => ({ values: [state], value }))
  return [
    gauge('heliograph_build_info', [{ values: [build.version, build.node, build.database], value: 1 }]),
    gauge('heliograph_database_writable', single(isWritable ? 1 : 0)),
    gauge('heliograph_database_waiting', single(waiting)),
    gauge('heliograph_database_connections', ofStates),
    gauge('heliograph_open_connections', openConnections === undefined ? [] : single(openConnections)),
    gauge('heliograph_jobs_due', ofKinds('due')),
    gauge('heliograph_jobs_lateness_seconds', ofKinds('latenessSeconds')),
  ].join('')
}
