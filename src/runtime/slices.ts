// Runs long work in short slices. At most one slice starts in each turn of the event loop, so requests are served between
// slices; owners (accounts, client addresses) take turns, so an owner with a hundred queued slices delays the slice of
// another by one, not by a hundred.

export type Slices = <Result>(owner: string, slice: () => Result | Promise<Result>) => Promise<Result>

// Bounds the slices that wait for PostgreSQL at the same time, so that they do not take the whole connection pool.
const MOST_RUNNING = 4

export function createSlices(): Slices {
  // In the order of the owners' next turns.
  const queues = new Map<string, (() => Promise<void>)[]>()
  const running = new Set<string>()
  let isScheduled = false

  function schedule() {
    if (isScheduled || queues.size === 0 || running.size >= MOST_RUNNING) return
    isScheduled = true
    // setImmediate, not nextTick or a microtask: those run before pending I/O.
    setImmediate(startNext)
  }

  function startNext() {
    isScheduled = false
    const owner = [...queues.keys()].find((name) => !running.has(name))
    const slice = owner === undefined ? undefined : takeFirst(owner)
    if (owner !== undefined && slice) {
      running.add(owner)
      slice().finally(() => {
        running.delete(owner)
        schedule()
      })
      schedule()
    }
  }

  function takeFirst(owner: string) {
    const queue = queues.get(owner) ?? []
    queues.delete(owner)
    const slice = queue.shift()
    if (queue.length > 0) queues.set(owner, queue)
    return slice
  }

  return (owner, slice) =>
    new Promise((resolve, reject) => {
      const run = async () => {
        try {
          resolve(await slice())
        } catch (error) {
          reject(error)
        }
      }
      const queue = queues.get(owner)
      if (queue) queue.push(run)
      else queues.set(owner, [run])
      schedule()
    })
}
