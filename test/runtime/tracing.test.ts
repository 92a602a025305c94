// When traces are exported: by the standard variables, and only if the SDK is installed.
import * as api from '@opentelemetry/api'
import { describe, expect, test } from 'vitest'
import { loadTracingVariables } from '../../src/runtime/config.ts'
import { openTracing } from '../../src/runtime/tracing/open-telemetry.ts'
import { NO_TRACING } from '../../src/runtime/tracing/tracing.ts'
import { createMemoryLog } from '../support/fakes/memory-log.ts'

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' }

describe('the variables of OpenTelemetry', () => {
  test.each([
    [{}],
    [{ OTEL_SERVICE_NAME: 'helio' }],
    [{ ...ENDPOINT, OTEL_SDK_DISABLED: 'true' }],
    [{ ...ENDPOINT, OTEL_TRACES_EXPORTER: 'none' }],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: '' }],
  ])('%j asks for no traces', (environment) => {
    expect(loadTracingVariables(environment)).toBeUndefined()
  })

  test.each([
    [ENDPOINT, 'heliograph'],
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://127.0.0.1:4318/v1/traces' }, 'heliograph'],
    [{ OTEL_TRACES_EXPORTER: 'console' }, 'heliograph'],
    [{ ...ENDPOINT, OTEL_SERVICE_NAME: 'helio' }, undefined],
    [{ ...ENDPOINT, OTEL_RESOURCE_ATTRIBUTES: 'service.name=helio' }, undefined],
  ])('%j asks for traces of the service %s', (environment, serviceName) => {
    expect(loadTracingVariables(environment)).toEqual({ serviceName, hasDetectors: false })
  })
})

describe('tracing', () => {
  const variables = { serviceName: 'heliograph', hasDetectors: false }

  test('is off and says so in one line if the SDK is not installed', async () => {
    const { log, lines } = createMemoryLog()
    expect(await openTracing(variables, log)).toBe(NO_TRACING)
    expect(lines.map((line) => JSON.parse(line).msg)).toEqual([
      'OTEL_ variables are set, but @opentelemetry/sdk-node is not installed beside the program: no traces are exported',
    ])
  })

  test('loads nothing and says nothing without the variables', async () => {
    const { log, lines } = createMemoryLog()
    const load = () => {
      throw new Error('loaded')
    }
    expect(await openTracing(undefined, log, load)).toBe(NO_TRACING)
    expect(lines).toEqual([])
  })

  test('starts the SDK, and sends the last spans when it is closed; a failure of that is no error', async () => {
    const calls: string[] = []
    const sdk = {
      start: () => void calls.push('start'),
      shutdown: () => {
        calls.push('shutdown')
        return Promise.reject(new Error('no collector'))
      },
    }
    const tracing = await openTracing(variables, createMemoryLog().log, () => ({ api, sdk }))
    expect(tracing.isOn).toBe(true)
    await tracing.close()
    expect(calls).toEqual(['start', 'shutdown'])
  })
})
