// Pictures of cards, drawn in processes of their own, which start with the first picture and end a minute after the last one.
import { createRequire } from 'node:module'
import path, { dirname, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { PictureTask } from '../../domain/screens/picture.ts'
import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import { type Metrics, NO_METRICS, type PictureKind } from '../metrics/metrics.ts'
import { createProcesses } from '../threads/host.ts'
import type { Outcome } from '../threads/thread.ts'
import { createPictureCache } from './cache.ts'

// `key`: that of an older picture of the variant, if the one that was asked for has to wait.
export type DrawnPicture = { picture: Buffer; key: string } | { failure: 'busy' | 'failed' }

// `variant`: what pictures of the same thing in the same form share, whatever it says.
export type Drawing = { kind: PictureKind; variant?: string | undefined; task(): Promise<PictureTask | 'busy'> }

export type Pictures = {
  // `key` names what the picture shows: equal keys at once share one drawing, and a finished one is kept. `task` is called only for a
  // new one; nothing else rejects.
  draw(owner: string, key: string, drawing: Drawing): Promise<DrawnPicture>
  load(): { waiting: number; cacheBytes: number; processBytes: number }
  close(): Promise<void>
}

// A drawing that failed is not tried again this soon.
const FAILED_MS = 60_000
const MOST_FAILED = 1000

export function createPictures(
  log: Log,
  clock: Clock,
  settings: { processes: number; cacheMb: number; fontsDir?: string; metrics?: Metrics },
): Pictures {
  const { metrics = NO_METRICS } = settings
  const folders = settings.fontsDir ? [path.resolve(settings.fontsDir)] : []
  const residentBytes = new Map<number, number>()
  const processes = createProcesses<PictureTask, Uint8Array | undefined>(log, {
    name: 'pictures',
    entry: ENTRY,
    args: folders,
    readable: () => [...readableOf(ENTRY), ...folders.flatMap((folder) => [folder, `${folder}${sep}*`])],
    threads: settings.processes,
    waitingPerOwner: 60,
    waitingInAll: 200,
    heapMb: 128,
    residentMb: 300,
    computeMs: 2000,
    deadlineMs: 10_000,
    idleMs: 60_000,
    observe(pid, bytes, hasFailed) {
      if (bytes > 0) residentBytes.set(pid, bytes)
      else residentBytes.delete(pid)
      if (hasFailed) metrics.pictureProcessEnded()
    },
  })
  const cache = createPictureCache(settings.cacheMb * 1024 * 1024)
  const drawing = new Map<string, Promise<DrawnPicture>>()
  const failedAt = new Map<string, number>()

  async function drawNew(owner: string, key: string, { variant, task: build }: Drawing): Promise<DrawnPicture> {
    const task = await build()
    if (task === 'busy') return BUSY
    const outcome = await runTwice(() => processes.run(owner, task))
    if ('result' in outcome && outcome.result) {
      const picture = Buffer.from(outcome.result)
      cache.set(key, { owner, variant, bytes: picture })
      return { picture, key }
    }
    if ('failure' in outcome && ['too-many', 'closed'].includes(outcome.failure)) return BUSY
    if (failedAt.size >= MOST_FAILED) failedAt.clear()
    failedAt.set(key, clock.monotonicMs())
    return FAILED
  }

  function begin(owner: string, key: string, drawn: Drawing): Promise<DrawnPicture> {
    const begun = drawNew(owner, key, drawn).finally(() => drawing.delete(key))
    drawing.set(key, begun)
    return begun
  }

  const hasFailed = (key: string) => clock.monotonicMs() - (failedAt.get(key) ?? Number.NEGATIVE_INFINITY) < FAILED_MS

  return {
    async draw(owner, key, asked) {
      const { kind, variant } = asked
      const picture = cache.get(key)
      if (picture) {
        metrics.pictureEnded(kind, 'cached')
        return { picture, key }
      }
      const begunMs = clock.monotonicMs()
      const shared = drawing.get(key)
      const drawn = await (hasFailed(key) ? FAILED : (shared ?? begin(owner, key, asked)))
      const older = drawn === BUSY && variant ? cache.latestOf(variant) : undefined
      if (older) {
        metrics.pictureEnded(kind, 'stale')
        return older
      }
      if ('failure' in drawn) metrics.pictureEnded(kind, drawn.failure)
      else if (shared !== undefined) metrics.pictureEnded(kind, 'cached')
      else metrics.pictureEnded(kind, 'drawn', clock.monotonicMs() - begunMs)
      return drawn
    },
    load: () => ({
      waiting: processes.waiting(),
      cacheBytes: cache.bytes(),
      processBytes: [...residentBytes.values()].reduce((sum, bytes) => sum + bytes, 0),
    }),
    close: () => processes.close(),
  }
}

const FAILED: DrawnPicture = { failure: 'failed' }
const BUSY: DrawnPicture = { failure: 'busy' }

// A process that was killed may have drawn for another account.
async function runTwice<Result>(run: () => Promise<Outcome<Result>>): Promise<Outcome<Result>> {
  const outcome = await run()
  return 'failure' in outcome && outcome.failure === 'ended' ? run() : outcome
}

// The path is the same from src and from dist.
const ENTRY = fileURLToPath(new URL('../../../dist/pictures/process.js', import.meta.url))

// Its own code, and the folders with the packages and fonts that it uses.
function readableOf(entry: string): string[] {
  const { resolve } = createRequire(import.meta.url)
  const packages = [
    'satori',
    'harfbuzzjs',
    '@resvg/resvg-wasm/index_bg.wasm',
    '@fontsource/noto-sans',
    '@fontsource/noto-sans-mono',
  ]
  const folders = packages.map((name) => {
    const file = resolve(name)
    const folder = `${sep}node_modules${sep}`
    return `${file.slice(0, file.lastIndexOf(folder) + folder.length)}*`
  })
  const manifest = fileURLToPath(new URL('../../../package.json', import.meta.url))
  return [...new Set([`${dirname(entry)}${sep}*`, manifest, ...folders])]
}
