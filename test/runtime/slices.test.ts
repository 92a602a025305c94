import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createSlices } from '../../src/runtime/slices.ts'

test('one slice starts in each turn of the event loop', async () => {
  const slices = createSlices()
  const started: number[] = []
  for (let i = 0; i < 5; i++) void slices('a', () => started.push(i))
  const counts: number[] = []
  for (let turn = 0; turn < 5; turn++) {
    await nextTurn()
    counts.push(started.length)
  }
  expect(started).toEqual([0, 1, 2, 3, 4])
  expect(counts.every((count, turn) => count <= turn + 1)).toBe(true)
})

test('owners take turns, however many slices one of them has queued', async () => {
  const slices = createSlices()
  const order: string[] = []
  const many = Array.from({ length: 50 }, () => slices('hostile', () => order.push('hostile')))
  await slices('victim', () => order.push('victim'))
  expect(order.indexOf('victim')).toBeLessThanOrEqual(1)
  await Promise.all(many)
  expect(order).toHaveLength(51)
})

test('an owner has one slice running at a time, and another owner does not wait for it', async () => {
  const slices = createSlices()
  let release = () => {}
  const held = slices('slow', () => new Promise<void>((resolve) => (release = resolve)))
  let ranBehind = false
  const behind = slices('slow', () => (ranBehind = true))
  expect(await slices('quick', () => 'done')).toBe('done')
  expect(ranBehind).toBe(false)
  release()
  await Promise.all([held, behind])
  expect(ranBehind).toBe(true)
})

test('a slice that fails rejects its own promise and the next one runs', async () => {
  const slices = createSlices()
  const failed = slices('a', () => {
    throw new Error('no')
  })
  await expect(failed).rejects.toThrow('no')
  expect(await slices('a', () => 1)).toBe(1)
})
