// The alert rules of deploy/prometheus: Prometheus accepts them, and they fire when they should and not otherwise.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

// The machine's own, or the one that the set-up of these tests has unpacked.
const promtool = ['/usr/bin/promtool', 'node_modules/.cache/heliograph-deploy/usr/bin/promtool'].find(existsSync)

describe.skipIf(!promtool)('the alert rules', () => {
  test.each([
    ['check', 'rules', 'deploy/prometheus/alerts.yml'],
    ['check', 'config', 'deploy/prometheus/prometheus.yml'],
    ['test', 'rules', 'test/deploy/alerts.yml'],
  ])('promtool %s %s %s', (...args) => {
    const { status, stdout, stderr } = spawnSync(promtool ?? '', args, { encoding: 'utf8' })
    expect(status, stdout + stderr).toBe(0)
  })
})
