// Records spans behind the API of OpenTelemetry, with a context manager and the propagator of W3C Trace Context. The real
// SDK has 60 packages; test/deploy/traces.test.ts uses it.
import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import * as api from '@opentelemetry/api'
import { createTracing } from '../../../src/runtime/tracing/open-telemetry.ts'
import type { Tracing } from '../../../src/runtime/tracing/tracing.ts'

export type RecordedSpan = {
  name: string
  kind: api.SpanKind
  attributes: api.Attributes
  traceId: string
  spanId: string
  parentId: string | undefined
  hasFailed: boolean
}

// `ended`: in the order in which they ended.
export type Recording = { tracing: Tracing; ended: RecordedSpan[]; stop(): void }

export function recordSpans(): Recording {
  const ended: RecordedSpan[] = []
  api.context.setGlobalContextManager(createContextManager())
  api.propagation.setGlobalPropagator(TRACE_CONTEXT)
  api.trace.setGlobalTracerProvider({ getTracer: () => createTracer(ended) })
  const stop = () => {
    api.trace.disable()
    api.propagation.disable()
    api.context.disable()
  }
  return { tracing: createTracing(api, async () => {}), ended, stop }
}

function createTracer(ended: RecordedSpan[]): api.Tracer {
  function startSpan(name: string, options: api.SpanOptions = {}, context = api.context.active()): api.Span {
    const parent = api.trace.getSpanContext(context)
    const recorded: RecordedSpan = {
      name,
      kind: options.kind ?? api.SpanKind.INTERNAL,
      attributes: {},
      traceId: parent?.traceId ?? randomBytes(16).toString('hex'),
      spanId: randomBytes(8).toString('hex'),
      parentId: parent?.spanId,
      hasFailed: false,
    }
    const { traceId, spanId } = recorded
    const span = api.trace.wrapSpanContext({ traceId, spanId, traceFlags: api.TraceFlags.SAMPLED })
    span.setAttribute = (key, value) => span.setAttributes({ [key]: value })
    span.setAttributes = (attributes) => {
      Object.assign(recorded.attributes, attributes)
      return span
    }
    span.setStatus = ({ code }) => {
      recorded.hasFailed = code === api.SpanStatusCode.ERROR
      return span
    }
    span.end = () => void ended.push(recorded)
    return span.setAttributes(options.attributes ?? {})
  }

  const startActiveSpan = (name: string, options: api.SpanOptions, work: (span: api.Span) => unknown) => {
    const span = startSpan(name, options)
    return api.context.with(api.trace.setSpan(api.context.active(), span), work, undefined, span)
  }
  return { startSpan, startActiveSpan: startActiveSpan as api.Tracer['startActiveSpan'] }
}

function createContextManager(): api.ContextManager {
  const storage = new AsyncLocalStorage<api.Context>()
  const manager: api.ContextManager = {
    active: () => storage.getStore() ?? api.ROOT_CONTEXT,
    with: (context, work, thisArg, ...args) => storage.run(context, () => work.apply(thisArg as never, args)),
    bind: (_context, target) => target,
    enable: () => manager,
    disable: () => manager,
  }
  return manager
}

const TRACE_CONTEXT: api.TextMapPropagator = {
  inject() {},
  extract(context, carrier, getter) {
    const [, traceId, spanId] = String(getter.get(carrier, 'traceparent') ?? '').split('-')
    if (!traceId || !spanId) return context
    return api.trace.setSpanContext(context, { traceId, spanId, traceFlags: api.TraceFlags.SAMPLED, isRemote: true })
  },
  fields: () => ['traceparent'],
}
