// Counters and histograms, and their text in the format of Prometheus.
import { describe, expect, test } from 'vitest'
import { createCounts, createHistogram } from '../../src/runtime/metrics/instruments.ts'

const linesOf = (text: string) => text.trim().split('\n')

describe('a counter', () => {
  test('has one child for each combination of labels', () => {
    const requests = createCounts({ name: 'requests_total', help: 'All.', labels: ['method', 'status'] }, 'counter')
    requests.of('GET', 200).value += 1
    requests.of('GET', 404).value += 2
    requests.of('POST', 200).value += 3
    requests.of('GET', 200).value += 1
    expect(linesOf(requests.text())).toEqual([
      '# HELP requests_total All.',
      '# TYPE requests_total counter',
      'requests_total{method="GET",status="200"} 2',
      'requests_total{method="GET",status="404"} 2',
      'requests_total{method="POST",status="200"} 3',
    ])
  })

  test('without labels begins with a sample of 0', () => {
    const open = createCounts({ name: 'open', help: 'Open.', labels: [] }, 'gauge')
    expect(linesOf(open.text())).toContain('open 0')
    open.of().value -= 1
    expect(linesOf(open.text())).toContain('open -1')
  })

  test('escapes quotes, backslashes and line ends of label values', () => {
    const reasons = createCounts({ name: 'reasons_total', help: 'All.', labels: ['reason'] }, 'counter')
    reasons.of('a "b" \\ c\nd').value += 1
    expect(linesOf(reasons.text())).toContain('reasons_total{reason="a \\"b\\" \\\\ c\\nd"} 1')
  })
})

test('a histogram counts a value in the bucket of its upper bound and in all larger ones', () => {
  const seconds = createHistogram({ name: 'seconds', help: 'Time.', labels: ['kind'] }, [0.1, 1])
  for (const value of [0.1, 0.11, 1, 2]) seconds.of('x').observe(value)
  expect(linesOf(seconds.text())).toEqual([
    '# HELP seconds Time.',
    '# TYPE seconds histogram',
    'seconds_bucket{kind="x",le="0.1"} 1',
    'seconds_bucket{kind="x",le="1"} 3',
    'seconds_bucket{kind="x",le="+Inf"} 4',
    'seconds_sum{kind="x"} 3.21',
    'seconds_count{kind="x"} 4',
  ])
})
