// deploy/proxy/traefik.yml, which no test runs. test/deploy runs nginx and Caddy.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { SETTINGS } from '../../src/runtime/settings.ts'

test('Traefik forwards to the default port, asks for readiness, and buffers nothing', () => {
  const { http } = parse(readFileSync('deploy/proxy/traefik.yml', 'utf8'))
  const { loadBalancer } = http.services[http.routers.heliograph.service]
  expect(loadBalancer.servers).toEqual([{ url: `http://${SETTINGS.host.fallback}:${SETTINGS.port.fallback}` }])
  expect(loadBalancer.healthCheck.path).toBe('/ready')
  expect(http.middlewares).toBeUndefined()
})
