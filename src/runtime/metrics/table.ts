// Every metric of ours, one row each. The rows drive the export and docs/metrics.md. Names follow the conventions of
// Prometheus: base units, and `_total` for counters.

export type MetricRow = {
  type: 'counter' | 'gauge' | 'histogram'
  labels: readonly string[]
  // One sentence, for `# HELP` and the documentation.
  help: string
  // Upper bounds of a histogram.
  buckets?: readonly number[]
}

// Requests and pushes: a send takes 1 ms, a push deadline ends at 8 s.
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
// Statements and commits: a read of the embedded database takes 10 µs.
const SHORT_SECONDS = [0.00001, 0.0001, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5]
const GROUP_SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256]

export const METRICS = {
  heliograph_build_info: {
    type: 'gauge',
    labels: ['version', 'node', 'database'],
    help: 'Always 1; the labels say which version runs, on which Node.js and on which database.',
  },
  heliograph_http_requests_total: {
    type: 'counter',
    labels: ['method', 'route', 'status'],
    help: 'Requests that ended, by route pattern; status "aborted" if the client disconnected before the response began.',
  },
  heliograph_http_request_duration_seconds: {
    type: 'histogram',
    labels: ['method', 'route'],
    buckets: SECONDS,
    help: 'Time from the headers of a request to the end of its response; event streams and requests with ?wait are left out.',
  },
  heliograph_problems_total: {
    type: 'counter',
    labels: ['code'],
    help: 'Error responses by problem code; rate_limit.exceeded counts the requests over a rate limit.',
  },
  heliograph_open_connections: {
    type: 'gauge',
    labels: [],
    help: 'Client connections that are open now.',
  },
  heliograph_connections_refused_total: {
    type: 'counter',
    labels: ['limit'],
    help: 'Connections closed at once, because the server or the client address had too many.',
  },
  heliograph_open_waits: {
    type: 'gauge',
    labels: [],
    help: 'Requests that this process holds until there is an answer.',
  },
  heliograph_open_event_streams: {
    type: 'gauge',
    labels: [],
    help: 'Event streams that this process serves.',
  },
  heliograph_jobs_due: {
    type: 'gauge',
    labels: ['kind'],
    help: 'Jobs that are due and not claimed, counted up to 10,000 of a kind. The same on every process of a database.',
  },
  heliograph_jobs_lateness_seconds: {
    type: 'gauge',
    labels: ['kind'],
    help: 'How long the oldest due job has waited; 0 if none is due. The same on every process of a database.',
  },
  heliograph_fan_out_lateness_seconds: {
    type: 'gauge',
    labels: ['kind'],
    help: 'How long ago the oldest change was accepted that has not reached all members of its organization, due or not; else 0.',
  },
  heliograph_jobs_running: {
    type: 'gauge',
    labels: ['kind'],
    help: 'Jobs that this process runs now.',
  },
  heliograph_job_runs_total: {
    type: 'counter',
    labels: ['kind', 'outcome'],
    help: 'Runs of jobs: done, again (postponed by itself), failed (will be retried) or given_up (the last retry failed).',
  },
  heliograph_job_duration_seconds: {
    type: 'histogram',
    labels: ['kind'],
    buckets: SECONDS,
    help: 'Time from the start of a job to its commit.',
  },
  heliograph_pushes_total: {
    type: 'counter',
    labels: ['channel', 'result', 'reason'],
    help: 'Pushes to devices; the reason is that of the push service, "other" if it is not a known one, and empty if accepted.',
  },
  heliograph_push_duration_seconds: {
    type: 'histogram',
    labels: ['channel'],
    buckets: SECONDS,
    help: 'Time from a push to the answer of the push service.',
  },
  heliograph_emails_total: {
    type: 'counter',
    labels: ['result'],
    help: 'E-mails handed to the mail server: accepted, recipient_refused, rejected or try_later.',
  },
  heliograph_callbacks_total: {
    type: 'counter',
    labels: ['result'],
    help: 'Callback requests by status class of the answer (2xx, 4xx), or failed, or refused (the URL is not allowed).',
  },
  heliograph_unifiedpush_messages_total: {
    type: 'counter',
    labels: ['result'],
    help: 'Messages that servers of other apps posted for phones, by result: accepted, or why not.',
  },
  heliograph_unifiedpush_bytes_total: {
    type: 'counter',
    labels: [],
    help: 'Bytes of the messages of UnifiedPush that were accepted.',
  },
  heliograph_unifiedpush_endpoints: {
    type: 'gauge',
    labels: [],
    help: 'Addresses of UnifiedPush that apps have handed out, up to 10,000.',
  },
  heliograph_unifiedpush_kept: {
    type: 'gauge',
    labels: [],
    help: 'Messages of UnifiedPush that have not expired, up to 10,000.',
  },
  heliograph_database_writable: {
    type: 'gauge',
    labels: [],
    help: '1 if the last change could be stored, else 0.',
  },
  heliograph_database_transaction_duration_seconds: {
    type: 'histogram',
    labels: [],
    buckets: SHORT_SECONDS,
    help: 'Time from the request for a transaction to its commit or rollback, with the wait for its turn or a connection.',
  },
  heliograph_database_read_duration_seconds: {
    type: 'histogram',
    labels: [],
    buckets: SHORT_SECONDS,
    help: 'Time of a query outside of transactions; on PostgreSQL with the wait for a connection, on SQLite without cache hits.',
  },
  heliograph_pictures_total: {
    type: 'counter',
    labels: ['kind', 'result'],
    help: 'Pictures asked for; "cached" ones were in memory, "not_modified" ones with the client, and for "stale" ones an older picture was shown.',
  },
  heliograph_screen_requests_total: {
    type: 'counter',
    labels: ['form'],
    help: 'Requests for what screens show: pictures and texts by the ending of their address, streams of screen links, the script and the page for iPhones, and calls of TRMNL displays.',
  },
  heliograph_picture_seconds: {
    type: 'histogram',
    labels: [],
    buckets: SECONDS,
    help: 'Time to draw a picture, with the wait for its turn.',
  },
  heliograph_picture_queue: {
    type: 'gauge',
    labels: [],
    help: 'Pictures that wait to be drawn.',
  },
  heliograph_picture_cache_bytes: {
    type: 'gauge',
    labels: [],
    help: 'Memory of finished pictures.',
  },
  heliograph_picture_process_bytes: {
    type: 'gauge',
    labels: [],
    help: 'Resident memory of the processes that draw, after their last picture; 0 if none runs.',
  },
  heliograph_picture_process_restarts_total: {
    type: 'counter',
    labels: [],
    help: 'Drawing processes that failed, or were ended because a picture exceeded its limits.',
  },
  heliograph_database_waiting: {
    type: 'gauge',
    labels: [],
    help: 'Transactions that wait for the next commit group (SQLite), or work that waits for a connection (PostgreSQL).',
  },
  heliograph_database_connections: {
    type: 'gauge',
    labels: ['state'],
    help: 'Connections of the pool that are used or idle (PostgreSQL).',
  },
  heliograph_database_commit_group_size: {
    type: 'histogram',
    labels: [],
    buckets: GROUP_SIZES,
    help: 'Transactions that shared one commit (SQLite).',
  },
  heliograph_database_commit_group_duration_seconds: {
    type: 'histogram',
    labels: [],
    buckets: SHORT_SECONDS,
    help: 'Time from the begin to the end of such a commit (SQLite).',
  },
} as const satisfies Record<string, MetricRow>

export type MetricName = keyof typeof METRICS

export type NameOf<Type extends MetricRow['type']> = {
  [Name in MetricName]: (typeof METRICS)[Name] extends { type: Type } ? Name : never
}[MetricName]
