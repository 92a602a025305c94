// Serves the metrics of this process on a port of its own, for Prometheus, and its health, for probes of a process that has no
// other port. Without that setting nothing is loaded, measured or opened.
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { StartError } from '../domain/errors.ts'
import { BoundedRequest, boundBodies } from '../http/connections/bounded-request.ts'
import type { Context } from '../operations/context.ts'
import { createJobBacklog } from '../operations/job-backlog.ts'
import type { CheckReadiness, Readiness } from '../operations/readiness.ts'
import { type Metrics, NO_METRICS } from '../runtime/metrics/metrics.ts'
import type { PrometheusMetrics, Readings } from '../runtime/metrics/prometheus.ts'
import type { Config } from '../runtime/settings.ts'
import { VERSION } from '../runtime/version.ts'
import type { Lifetimes } from './lifetimes.ts'
import { type Endpoint, listenFailure } from './listen.ts'

export type Exporter = {
  metrics: Metrics
  // Returns the URL of the metrics, if any.
  listen(ctx: Context, lifetimes: Lifetimes, observed: Observed): Promise<string | undefined>
}

// `server` is the one whose connections are counted, if this process has one.
type Observed = { checkReadiness: CheckReadiness; server?: Server }

const NO_EXPORTER: Exporter = { metrics: NO_METRICS, listen: async () => undefined }

export async function createExporter({ metricsHost, metricsPort }: Config): Promise<Exporter> {
  if (metricsPort === undefined) return NO_EXPORTER
  const { createPrometheusMetrics } = await import('../runtime/metrics/prometheus.ts')
  const prometheus = createPrometheusMetrics()
  return {
    metrics: prometheus.metrics,
    async listen(ctx, lifetimes, { server, checkReadiness }) {
      const metrics = metricsOf(prometheus, createReadings(ctx, server))
      const listener = createServer(LIMITS, answerWith({ metrics, checkReadiness }, ctx))
      boundBodies(listener)
      listener.maxConnections = MOST_CONNECTIONS
      const url = await listenOn(listener, { host: metricsHost, port: metricsPort })
      lifetimes.push(() => {
        listener.close()
        listener.closeAllConnections()
      })
      ctx.log.info({ url }, 'metrics are served')
      return url
    },
  }
}

// A few scrapers; a flood of clients must not take file descriptors from the API.
const MOST_CONNECTIONS = 20
const LIMITS = {
  headersTimeout: 5000,
  requestTimeout: 5000,
  connectionsCheckingInterval: 5000,
  maxHeaderSize: 8192,
  IncomingMessage: BoundedRequest,
}

type Reply = { status: number; type: string; text: string }

function metricsOf(prometheus: PrometheusMetrics, read: () => Promise<Readings>): () => Promise<Reply> {
  // Scrapes that arrive together share one.
  let scrape: Promise<string> | undefined
  return async () => {
    scrape ??= read()
      .then((readings) => prometheus.text(readings))
      .finally(() => (scrape = undefined))
    return { status: 200, type: prometheus.contentType, text: await scrape }
  }
}

type Answers = { metrics: () => Promise<Reply>; checkReadiness: CheckReadiness }

function answerWith({ metrics, checkReadiness }: Answers, { log }: Context): RequestListener {
  const pages = new Map<string, () => Promise<Reply>>([
    ['/metrics', metrics],
    ['/health', async () => statusReply(200, 'ok')],
    ['/ready', async () => readinessReply(await checkReadiness())],
  ])
  return (request, response) => {
    const page = pages.get(request.url?.split('?')[0] ?? '')
    if (!page) {
      response.writeHead(404).end(`Only ${[...pages.keys()].join(', ')} are here.\n`)
    } else if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.writeHead(405, { allow: 'GET, HEAD' }).end()
    } else {
      page().then(
        ({ status, type, text }) => response.writeHead(status, { 'content-type': type }).end(text),
        (error) => {
          log.error({ err: error }, 'cannot collect metrics')
          response.writeHead(500).end()
        },
      )
    }
  }
}

const statusReply = (status: number, word: string): Reply => ({
  status,
  type: 'application/json',
  text: JSON.stringify({ status: word }),
})

const readinessReply = (readiness: Readiness): Reply =>
  readiness.isReady ? statusReply(200, 'ready') : statusReply(503, readiness.reason)

function createReadings(ctx: Context, server: Server | undefined): () => Promise<Readings> {
  const { config, db, log } = ctx
  const build = {
    version: VERSION,
    node: process.versions.node,
    database: config.databaseUrl ? 'postgresql' : 'sqlite',
  }
  const backlog = createJobBacklog(ctx)
  const openConnections = server && promisify(server.getConnections.bind(server))
  return async () => {
    const counted = await backlog().catch((error) => {
      log.warn({ err: error }, 'cannot count jobs for metrics')
      return undefined
    })
    return {
      build,
      openConnections: await openConnections?.(),
      backlog: counted,
      unifiedPush: counted?.unifiedPush,
      pictures: ctx.pictures.load(),
      database: { isWritable: db.trouble() === undefined, ...db.load() },
    }
  }
}

// Returns the URL.
async function listenOn(listener: Server, { host, port }: Endpoint): Promise<string> {
  try {
    await new Promise<void>((resolve, reject) => listener.once('error', reject).listen(port, host, resolve))
  } catch (error) {
    throw new StartError(listenFailure(error, { host, port }, 'HELIOGRAPH_METRICS'))
  }
  const { address, family, port: actual } = listener.address() as AddressInfo
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${actual}/metrics`
}
