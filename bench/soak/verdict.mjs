// Whether the samples of a soak are flat: the first third is the warm-up, and the rest is judged.
import { percentile } from '../measure.mjs'

const HOUR_MS = 3_600_000
const MOST_MB_PER_HOUR = 5
// Below this, the slope of a short run is noise of the allocator.
const MOST_MB_OF_NOISE = 10
const MOST_WAL_MB = 64
const MOST_MORE = 10

export function judge(samples) {
  const judged = samples.slice(Math.floor(samples.length / 3))
  const of = (name) => judged.map((sample) => sample[name])
  const hours = (judged.at(-1).atMs - judged[0].atMs) / HOUR_MS
  const mbPerHour = slopePerMs(judged) * HOUR_MS
  const grownMb = mbPerHour * hours
  return [
    {
      what: 'Memory after a garbage collection',
      figure: `${Math.round(of('residentMb')[0])} MB, then ${Math.round(of('residentMb').at(-1))} MB (${mbPerHour.toFixed(1)} MB an hour)`,
      holds: grownMb < Math.max(MOST_MB_OF_NOISE, MOST_MB_PER_HOUR * hours),
    },
    flat('Sockets', of('sockets')),
    flat('Timers', of('timers')),
    {
      what: 'Write-ahead log',
      figure: `${Math.max(...of('walMb')).toFixed(1)} MB at most`,
      holds: Math.max(...of('walMb')) < MOST_WAL_MB,
    },
    {
      what: 'Event-loop delay',
      figure: `p99 ${percentile(of('loopP99Ms'), 50).toFixed(0)} ms in the median sample`,
      // Not judged: on a busy machine it is mostly the time of other programs. `npm run bench -- --only hostile` judges turns.
      holds: true,
    },
  ]
}

// The second half has no more than the first, but for requests that happen to be open.
function flat(what, numbers) {
  const half = Math.ceil(numbers.length / 2)
  const [before, after] = [numbers.slice(0, half), numbers.slice(half)].map((some) => Math.max(0, ...some))
  return { what, figure: `${before}, then ${after} at most`, holds: after <= before * 1.2 + MOST_MORE }
}

// Least squares.
function slopePerMs(samples) {
  const mean = (numbers) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length
  const [meanAt, meanMb] = [mean(samples.map(({ atMs }) => atMs)), mean(samples.map(({ residentMb }) => residentMb))]
  const spread = samples.reduce((sum, { atMs }) => sum + (atMs - meanAt) ** 2, 0)
  return samples.reduce((sum, { atMs, residentMb }) => sum + (atMs - meanAt) * (residentMb - meanMb), 0) / (spread || 1)
}
