// Metrics in memory, and their text for Prometheus together with the defaults of prom-client: process, garbage
// collection, event loop. Loaded only if a metrics port is configured.
import { collectDefaultMetrics, Registry } from 'prom-client'
import { FAN_OUT_KINDS, JOB_KINDS, type JobKind } from '../../domain/jobs.ts'
import { createCounts, createHistogram, gaugeText, type Instrument, type Sample } from './instruments.ts'
import { JOB_OUTCOMES, type Metrics, PICTURE_KINDS, PICTURE_RESULTS, SCREEN_FORMS } from './metrics.ts'
import { METRICS, type NameOf } from './table.ts'

export type PrometheusMetrics = {
  metrics: Metrics
  contentType: string
  text(readings: Readings): Promise<string>
}

export function createPrometheusMetrics(): PrometheusMetrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  // Gauges with the suffix of a counter, which promtool refuses. The same numbers by type stay.
  for (const sum of ['handles', 'requests', 'resources']) registry.removeSingleMetric(`nodejs_active_${sum}_total`)
  const instruments = createInstruments()
  beginAtZero(instruments)
  return {
    metrics: createMetrics(instruments),
    contentType: registry.contentType,
    async text(readings) {
      const defaults = await registry.metrics()
      const texts = Object.values<Instrument>(instruments).map((instrument) => instrument.text())
      return [...texts, readingsText(readings), defaults].join('')
    },
  }
}

type Instruments = ReturnType<typeof createInstruments>

function createInstruments() {
  const counter = (name: NameOf<'counter'>) => createCounts({ name, ...METRICS[name] }, 'counter')
  const gauge = (name: NameOf<'gauge'>) => createCounts({ name, ...METRICS[name] }, 'gauge')
  const histogram = (name: NameOf<'histogram'>) => createHistogram({ name, ...METRICS[name] }, METRICS[name].buckets)
  return {
    requests: counter('heliograph_http_requests_total'),
    requestSeconds: histogram('heliograph_http_request_duration_seconds'),
    problems: counter('heliograph_problems_total'),
    refusedConnections: counter('heliograph_connections_refused_total'),
    openWaits: gauge('heliograph_open_waits'),
    openStreams: gauge('heliograph_open_event_streams'),
    jobRuns: counter('heliograph_job_runs_total'),
    jobsRunning: gauge('heliograph_jobs_running'),
    jobSeconds: histogram('heliograph_job_duration_seconds'),
    pushes: counter('heliograph_pushes_total'),
    pushSeconds: histogram('heliograph_push_duration_seconds'),
    emails: counter('heliograph_emails_total'),
    callbacks: counter('heliograph_callbacks_total'),
    postedMessages: counter('heliograph_unifiedpush_messages_total'),
    postedBytes: counter('heliograph_unifiedpush_bytes_total'),
    pictures: counter('heliograph_pictures_total'),
    screenRequests: counter('heliograph_screen_requests_total'),
    pictureSeconds: histogram('heliograph_picture_seconds'),
    pictureProcessRestarts: counter('heliograph_picture_process_restarts_total'),
    transactionSeconds: histogram('heliograph_database_transaction_duration_seconds'),
    readSeconds: histogram('heliograph_database_read_duration_seconds'),
    groupSize: histogram('heliograph_database_commit_group_size'),
    groupSeconds: histogram('heliograph_database_commit_group_duration_seconds'),
  }
}

// Prometheus sees the first increase of a counter only if it was exported with 0 before.
function beginAtZero(to: Instruments): void {
  const { jobRuns, refusedConnections, pictures, pictureProcessRestarts, screenRequests } = to
  for (const kind of JOB_KINDS) for (const outcome of JOB_OUTCOMES) jobRuns.of(kind, outcome)
  for (const limit of ['server', 'address']) refusedConnections.of(limit)
  for (const kind of PICTURE_KINDS) for (const result of PICTURE_RESULTS) pictures.of(kind, result)
  pictureProcessRestarts.of()
  for (const form of SCREEN_FORMS) screenRequests.of(form)
}

function createMetrics(to: Instruments): Metrics {
  const held = { waits: to.openWaits.of(), streams: to.openStreams.of() }
  return {
    isOn: true,
    requestEnded({ method, route = 'none', status, ms, isHeld, problem, screenForm }) {
      to.requests.of(method, route, status).value += 1
      if (!isHeld) to.requestSeconds.of(method, route).observe(ms / 1000)
      if (problem !== undefined) to.problems.of(problem).value += 1
      if (screenForm !== undefined) to.screenRequests.of(screenForm).value += 1
    },
    connectionRefused(limit) {
      to.refusedConnections.of(limit).value += 1
    },
    heldChanged(what, change) {
      held[what].value += change
    },
    jobStarted(kind) {
      to.jobsRunning.of(kind).value += 1
    },
    jobEnded(kind, outcome, ms) {
      to.jobsRunning.of(kind).value -= 1
      to.jobRuns.of(kind, outcome).value += 1
      to.jobSeconds.of(kind).observe(ms / 1000)
    },
    pushEnded({ channel, result, reason, ms }) {
      to.pushes.of(channel, result, reason).value += 1
      to.pushSeconds.of(channel).observe(ms / 1000)
    },
    mailEnded(result) {
      to.emails.of(result).value += 1
    },
    callbackEnded(result) {
      to.callbacks.of(result).value += 1
    },
    messagePosted(result, bytes) {
      to.postedMessages.of(result).value += 1
      to.postedBytes.of().value += bytes
    },
    pictureEnded(kind, result, ms) {
      to.pictures.of(kind, result).value += 1
      if (ms !== undefined) to.pictureSeconds.of().observe(ms / 1000)
    },
    pictureProcessEnded() {
      to.pictureProcessRestarts.of().value += 1
    },
    database: createDatabaseMetrics(to),
  }
}

function createDatabaseMetrics(to: Instruments): Metrics['database'] {
  const [transactions, reads] = [to.transactionSeconds.of(), to.readSeconds.of()]
  const [groupSize, groupSeconds] = [to.groupSize.of(), to.groupSeconds.of()]
  return {
    transactionEnded: (ms) => transactions.observe(ms / 1000),
    readEnded: (ms) => reads.observe(ms / 1000),
    groupCommitted(size, ms) {
      groupSize.observe(size)
      groupSeconds.observe(ms / 1000)
    },
  }
}

// Metrics that are read when Prometheus asks for them, rather than counted as things happen. A part that cannot be read is
// undefined, and its metrics have no samples.
export type Readings = {
  build: { version: string; node: string; database: string }
  openConnections: number | undefined
  backlog: { due: readonly DueJobs[]; fanOuts: readonly Late[] } | undefined
  unifiedPush: { endpoints: number; kept: number } | undefined
  pictures: { waiting: number; cacheBytes: number; processBytes: number }
  database: { isWritable: boolean; waiting: number; connections?: { used: number; idle: number } }
}

type Late = { kind: JobKind; latenessSeconds: number }
type DueJobs = Late & { count: number }

export function readingsText(readings: Readings): string {
  const { build, openConnections, backlog, unifiedPush, pictures, database } = readings
  const gauge = (name: NameOf<'gauge'>, samples: Sample[]) => gaugeText({ name, ...METRICS[name] }, samples)
  const single = (value: number): Sample[] => [{ values: [], value }]
  const { isWritable, waiting, connections } = database
  const ofStates = Object.entries(connections ?? {}).map(([state, value]) => ({ values: [state], value }))
  return [
    gauge('heliograph_build_info', [{ values: [build.version, build.node, build.database], value: 1 }]),
    gauge('heliograph_database_writable', single(isWritable ? 1 : 0)),
    gauge('heliograph_database_waiting', single(waiting)),
    gauge('heliograph_database_connections', ofStates),
    gauge('heliograph_open_connections', openConnections === undefined ? [] : single(openConnections)),
    gauge('heliograph_unifiedpush_endpoints', unifiedPush ? single(unifiedPush.endpoints) : []),
    gauge('heliograph_unifiedpush_kept', unifiedPush ? single(unifiedPush.kept) : []),
    gauge('heliograph_picture_queue', single(pictures.waiting)),
    gauge('heliograph_picture_cache_bytes', single(pictures.cacheBytes)),
    gauge('heliograph_picture_process_bytes', single(pictures.processBytes)),
    gauge('heliograph_jobs_due', backlog ? ofKinds(JOB_KINDS, backlog.due, ({ count }) => count) : []),
    gauge('heliograph_jobs_lateness_seconds', backlog ? ofKinds(JOB_KINDS, backlog.due, latenessOf) : []),
    gauge('heliograph_fan_out_lateness_seconds', backlog ? ofKinds(FAN_OUT_KINDS, backlog.fanOuts, latenessOf) : []),
  ].join('')
}

const latenessOf = ({ latenessSeconds }: Late) => latenessSeconds

// Kinds without a job are exported too: a series that comes and goes cannot be graphed or compared.
function ofKinds<Jobs extends Late>(
  kinds: readonly JobKind[],
  backlog: readonly Jobs[],
  read: (jobs: Jobs) => number,
): Sample[] {
  const known = new Map(backlog.map((jobs) => [jobs.kind, read(jobs)]))
  return kinds.map((kind) => ({ values: [kind], value: known.get(kind) ?? 0 }))
}
