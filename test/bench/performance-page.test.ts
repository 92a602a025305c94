// docs/performance.md and its drawings are what the benchmark writes from docs/performance.json.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { drawCharts } from '../../bench/document/charts.mjs'
import { renderPage } from '../../bench/document/page.mjs'

const results = JSON.parse(readFileSync('docs/performance.json', 'utf8'))

test('the page is current; "npm run bench -- --redraw" writes it without measuring', () => {
  expect(readFileSync('docs/performance.md', 'utf8')).toBe(renderPage(results))
})

test('the drawings are current, and complete', () => {
  for (const [name, drawing] of Object.entries(drawCharts(results))) {
    expect(readFileSync(`docs/images/${name}`, 'utf8')).toBe(drawing)
    expect(drawing).not.toMatch(/NaN|undefined|null/)
  }
})

test('the page has the services that were measured, with what a kill lost', () => {
  const bare = { service: 'bare', ratio: 1, cpuMicros: 118 }
  const rate = { service: 'ntfy, batches', ratio: 0.371, cpuMicros: 90 }
  const loss = { service: 'ntfy, batches', lost: 400, answered: 1907 }
  const tables = [{ title: 'Sends: some settings', rows: [bare, rate, loss] }]
  const page = renderPage({ ...results, peers: { run: { ...results.run, day: '2026-12-24' }, tables } })
  expect(page).toContain('Measured on 2026-12-24, commit')
  expect(page).toContain('| bare | 1.00 | 118 | – |\n| ntfy, batches | 0.37 | 90 | 400 of 1,907 |')
})
