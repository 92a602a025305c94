// The alert rules of deploy/prometheus: Prometheus accepts them, and they fire when they should and not otherwise.
import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'

const promtool = (...args: string[]) => spawnSync('promtool', args, { encoding: 'utf8' })

describe.skipIf(promtool('--version').status !== 0)('the alert rules', () => {
  test.each([
    ['check', 'rules', 'deploy/prometheus/alerts.yml'],
    ['check', 'config', 'deploy/prometheus/prometheus.yml'],
    ['test', 'rules', 'test/deploy/alerts.yml'],
  ])('promtool %s %s %s', (...args) => {
    const { status, stdout, stderr } = promtool(...args)
    expect(status, stdout + stderr).toBe(0)
  })
})
