// Spans of requests, jobs and pushes for distributed tracing. Without it, work runs as if there were no spans.

// Ids, kinds and outcomes only: never tokens, titles, bodies or addresses. Undefined members are left out.
export type SpanAttributes = Record<string, string | number | undefined>

export type OpenSpan = {
  set(attributes: SpanAttributes): void
  // Marks the span as failed; `type` is a problem code or the name of an error.
  fail(type: string): void
}

export type SpanStart = { name: string; attributes: SpanAttributes }

// The span of a request, which ends in another place than it begins in.
export type RequestSpan = OpenSpan & {
  // Runs the work with this span as the current one.
  enter(work: () => void): void
  end(): void
}

export type Tracing = {
  readonly isOn: boolean
  // Continues the trace of the headers, if they have one.
  startRequest(headers: Record<string, unknown>, start: SpanStart): RequestSpan
  // Runs the work in a span, a child of the current one. `reachesOut`: the work is a request to another service.
  span<Result>(start: SpanStart & { reachesOut?: boolean }, work: (span: OpenSpan) => Promise<Result>): Promise<Result>
  // Runs the work without a current span: it belongs to no request, although a request may have caused it.
  detached<Result>(work: () => Result): Result
  // Sends the spans that have not been sent.
  close(): Promise<void>
}

const nothing = () => {}
const NO_SPAN: OpenSpan = { set: nothing, fail: nothing }

export const NO_TRACING: Tracing = {
  isOn: false,
  startRequest: () => ({ ...NO_SPAN, enter: (work) => work(), end: nothing }),
  span: (_start, work) => work(NO_SPAN),
  detached: (work) => work(),
  close: async () => {},
}
