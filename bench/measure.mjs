// Clocks, processes and statistics. Rounds are interleaved, so that a noisy machine affects all contestants equally;
// the median of the rounds counts.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

// V8 optimizes a function after thousands of calls. On PostgreSQL, a node has that many requests behind it after ten seconds.
export const WARM_UP_SECONDS = 10

// A clock that all processes of this machine share.
export const nowMs = () => Number(process.hrtime.bigint()) / 1e6

export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

export const median = (numbers) => percentile(numbers, 50)

export function percentile(numbers, percent) {
  const sorted = [...numbers].sort((a, b) => a - b)
  return sorted[Math.min(Math.floor((sorted.length * percent) / 100), sorted.length - 1)]
}

// The results of each contestant in each round, after a warm-up that does not count.
export async function inRounds(contestants, { rounds, seconds, warmUpSeconds = WARM_UP_SECONDS }, compete) {
  const results = contestants.map(() => [])
  for (const contestant of contestants) await compete(contestant, warmUpSeconds)
  for (let round = 0; round < rounds; round++) {
    for (const [index, contestant] of contestants.entries()) results[index].push(await compete(contestant, seconds))
  }
  return results
}

// Each contestant's rate as a ratio to that of the first in the same round.
export function ratiosToFirst(results) {
  const [ceiling] = results
  return results.map((rounds) => median(rounds.map((result, round) => result.perSecond / ceiling[round].perSecond)))
}

export function inWords(results, unit) {
  const perSecond = Math.round(median(results.map((result) => result.perSecond)))
  const cpuMicros = Math.round(median(results.map((result) => result.cpuMicros)))
  return `${perSecond.toLocaleString('en')} ${unit}/s, ${cpuMicros} µs of CPU each`
}

export function residentKb(pid) {
  return process.platform === 'linux'
    ? Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1])
    : Number(ps(pid, 'rss='))
}

// Linux counts in ticks of 10 ms; other systems are less precise.
export function cpuMs(pid) {
  if (process.platform !== 'linux') return cpuMsInWords(ps(pid, 'time='))
  return ticksMs(pid, 11)
}

// The member of /proc/PID/stat at this place, and the next one: time of the user and of the system.
function ticksMs(pid, place) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return (Number(fields[place]) + Number(fields[place + 1])) * 10
}

// Precise enough for a few milliseconds of work. Linux counts the threads of a process in nanoseconds, without those that have
// ended.
export function cpuMicros(pid) {
  if (process.platform !== 'linux') return cpuMs(pid) * 1000
  const threads = readdirSync(`/proc/${pid}/task`)
  const nanosOf = (thread) => Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0])
  return threads.reduce((total, thread) => total + nanosOf(thread), 0) / 1000
}

// Counts the process and its child processes, such as the sessions of PostgreSQL, on Linux those too that have ended.
export function cpuMsOfFamily(pid) {
  const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' })
  const pids = [pid, ...children.split('\n').filter((line) => line.trim() !== '')]
  return pids.reduce((total, one) => total + cpuMsIfAlive(Number(one)), cpuMsOfEnded(pid))
}

// A session may end after it was listed.
function cpuMsIfAlive(pid) {
  try {
    return cpuMs(pid)
  } catch {
    return 0
  }
}

const cpuMsOfEnded = (pid) => (process.platform === 'linux' ? ticksMs(pid, 13) : 0)

const ps = (pid, field) => execFileSync('ps', ['-o', field, '-p', String(pid)], { encoding: 'utf8' }).trim()
const cpuMsInWords = (text) => text.split(':').reduce((total, part) => total * 60 + Number(part), 0) * 1000
