// Stands in for a display with the firmware of TRMNL: what it sends, what it takes, and what would make it forget its Wi-Fi. Written from
// what its source does; no display was at hand.
import { expect } from 'vitest'

const MOST_BYTES = 90_000
const MOST_BYTES_LARGE = 750_000
// The only bitmap that old firmware shows.
const BITMAP_BYTES = 48_062
const LONGEST_FILENAME = 31
const LONGEST_URL = 1023

export type Trmnl = {
  setup(): Promise<{ status: number; body: Record<string, unknown> }>
  // Asks for its next picture, and loads it unless it has it.
  wake(key?: string): Promise<{ status: number; body: Record<string, unknown> }>
  log(body: string): Promise<number>
  // The latest that it loaded.
  picture(): Buffer | undefined
  loads(): number
}

export function createTrmnl(
  serverUrl: string,
  { mac = '3C:61:05:AB:CD:EF', size = [800, 480], firmware = '1.5.2', model = 'og', volts = 4.1 } = {},
): Trmnl {
  // As the portal does.
  const base = serverUrl.replace(/\/+$/, '')
  let key = ''
  let shown: { filename: string; picture: Buffer } | undefined
  let loads = 0

  async function ask(path: string, headers: Record<string, string>) {
    const response = await fetch(base + path, { headers: { 'accept-encoding': 'identity', id: mac, ...headers } })
    const body = (await response.json()) as Record<string, unknown>
    // Either wipes the display, or empties its battery.
    expect([500, 202]).not.toContain(body.status)
    expect([500, 202]).not.toContain(response.status)
    expect(body.reset_firmware ?? false).toBe(false)
    expect(body.update_firmware ?? false).toBe(false)
    return { status: response.status, body }
  }

  async function load(url: string): Promise<Buffer> {
    expect(url.length).toBeLessThanOrEqual(LONGEST_URL)
    const response = await fetch(url, { headers: { 'accept-encoding': 'identity' } })
    const picture = Buffer.from(await response.arrayBuffer())
    const type = firmware < '1.5.2' ? 'image/bmp' : 'image/png'
    expect([response.status, response.headers.get('content-type')]).toEqual([200, type])
    if (type === 'image/bmp') expect([picture.toString('latin1', 0, 2), picture.length]).toEqual(['BM', BITMAP_BYTES])
    expect([response.headers.get('content-length'), response.headers.get('content-encoding')]).toEqual([
      `${picture.length}`,
      null,
    ])
    expect(picture.length).toBeLessThanOrEqual(model === 'x' ? MOST_BYTES_LARGE : MOST_BYTES)
    loads++
    return picture
  }

  return {
    async setup() {
      const answer = await ask('/api/setup', { 'fw-version': firmware, model })
      if (answer.status === 200 && answer.body.status === 200) {
        key = String(answer.body.api_key)
        await load(String(answer.body.image_url))
      }
      return answer
    },
    async wake(other = key) {
      const [width, height] = size
      const sent = {
        'access-token': other,
        width: `${width}`,
        height: `${height}`,
        'battery-voltage': `${volts}`,
        'fw-version': firmware,
        model,
        rssi: '-61',
      }
      const answer = await ask('/api/display', sent)
      if (answer.status !== 200 || answer.body.status !== 0) return answer
      const filename = String(answer.body.filename)
      expect(filename.length).toBeLessThanOrEqual(LONGEST_FILENAME)
      if (filename !== shown?.filename) shown = { filename, picture: await load(String(answer.body.image_url)) }
      return answer
    },
    async log(body) {
      const headers = { 'content-type': 'application/json', id: mac, 'access-token': key }
      return (await fetch(`${base}/api/log`, { method: 'POST', headers, body })).status
    },
    picture: () => shown?.picture,
    loads: () => loads,
  }
}
