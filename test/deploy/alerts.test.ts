// The alert rules of deploy/prometheus: Prometheus accepts them, and they fire when they should and not otherwise.
import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { findDeployTool } from '../../scripts/deploy-tools.mjs'

const promtool = findDeployTool('promtool')

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
