// Metrics that are read when Prometheus asks for them, rather than counted as things happen.
import { FAN_OUT_KINDS, JOB_KINDS, type JobKind } from '../../domain/jobs.ts'
import { gaugeText, type Sample } from './instruments.ts'
import { METRICS, type NameOf } from './table.ts'

// A part that cannot be read is undefined, and its metrics have no samples.
export type Readings = {
  build: { version: string; node: string; database: string }
  openConnections: number | undefined
  backlog: { due: readonly DueJobs[]; fanOuts: readonly Late[] } | undefined
  database: { isWritable: boolean; waiting: number; connections?: { used: number; idle: number } }
}

type Late = { kind: JobKind; latenessSeconds: number }
type DueJobs = Late & { count: number }

export function readingsText({ build, openConnections, backlog, database }: Readings): string {
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
