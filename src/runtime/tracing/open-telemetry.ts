// Tracing by OpenTelemetry, if the operator has installed @opentelemetry/sdk-node beside the program and set the standard
// variables. The SDK reads those variables itself; this file adapts its API.
import { createRequire } from 'node:module'
import type { Context, Span } from '@opentelemetry/api'
import { errorCode } from '../../domain/errors.ts'
import type { TracingVariables } from '../config.ts'
import type { Log } from '../log.ts'
import { VERSION } from '../version.ts'
import { NO_TRACING, type OpenSpan, type Tracing } from './tracing.ts'

export type OpenTelemetryApi = typeof import('@opentelemetry/api')
type Sdk = { start(): void; shutdown(): Promise<void> }
export type OpenTelemetry = { api: OpenTelemetryApi; sdk: Sdk }
export type LoadOpenTelemetry = (variables: TracingVariables) => OpenTelemetry

const SDK = '@opentelemetry/sdk-node'
// Jobs may take 9 of the 10 seconds that a stop has, and a collector may not answer.
const SHUTDOWN_MS = 500

export async function openTracing(
  variables: TracingVariables | undefined,
  log: Log,
  load: LoadOpenTelemetry = loadInstalled,
): Promise<Tracing> {
  if (!variables) return NO_TRACING
  try {
    const { api, sdk } = load(variables)
    sdk.start()
    log.info('traces are exported')
    return createTracing(api, () => withPatience(sdk.shutdown()))
  } catch (error) {
    if (errorCode(error) !== 'MODULE_NOT_FOUND') throw error
    log.warn(`OTEL_ variables are set, but ${SDK} is not installed beside the program: no traces are exported`)
    return NO_TRACING
  }
}

// The API is loaded from where the SDK finds it: spans made with another copy of it would be lost.
function loadInstalled({ serviceName, hasDetectors }: TracingVariables): OpenTelemetry {
  const require = createRequire(import.meta.url)
  const ofSdk = createRequire(require.resolve(SDK))
  const { envDetector, hostDetector } = ofSdk('@opentelemetry/resources')
  const { NodeSDK } = require(SDK)
  const sdk: Sdk = new NodeSDK({
    ...(serviceName && { serviceName }),
    // The default detectors export the command line, which may hold a password.
    ...(!hasDetectors && { resourceDetectors: [envDetector, hostDetector] }),
    // Only traces: metrics have an exporter of their own, and the log is written to the standard output.
    metricReaders: [],
    logRecordProcessors: [],
  })
  return { api: ofSdk('@opentelemetry/api'), sdk }
}

export function createTracing(api: OpenTelemetryApi, close: () => Promise<void>): Tracing {
  const { context, propagation, trace, ROOT_CONTEXT, SpanKind } = api
  const tracer = trace.getTracer('heliograph', VERSION)
  return {
    isOn: true,
    startRequest(headers, { name, attributes }) {
      const parent = propagation.extract(ROOT_CONTEXT, headers)
      const span = tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, parent)
      const own: Context = trace.setSpan(parent, span)
      return { ...openSpan(api, span), enter: (work) => context.with(own, work), end: () => span.end() }
    },
    span({ name, attributes, reachesOut }, work) {
      const kind = reachesOut ? SpanKind.CLIENT : SpanKind.INTERNAL
      return tracer.startActiveSpan(name, { kind, attributes }, async (span) => {
        try {
          return await work(openSpan(api, span))
        } finally {
          span.end()
        }
      })
    },
    detached: (work) => context.with(ROOT_CONTEXT, work),
    close,
  }
}

const openSpan = ({ SpanStatusCode }: OpenTelemetryApi, span: Span): OpenSpan => ({
  set: (attributes) => span.setAttributes(attributes),
  fail(type) {
    span.setAttribute('error.type', type)
    span.setStatus({ code: SpanStatusCode.ERROR })
  },
})

function withPatience(shutdown: Promise<void>): Promise<void> {
  const elapsed = new Promise<void>((resolve) => setTimeout(resolve, SHUTDOWN_MS).unref())
  // A collector that refuses the last spans is not an error of ours.
  return Promise.race([shutdown.catch(() => {}), elapsed])
}
