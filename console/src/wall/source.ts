// Where the wall gets its widgets from: the account that is signed in, or a link, which has a token of its own.
import { type ReadonlySignal, signal } from '@preact/signals'
import type { WallPlace, WidgetView } from '../../../src/contract/widgets.ts'
import { ApiError, api } from '../api/client.ts'
import { createStream, type EventStream } from '../state/event-stream.ts'
import { accountStream } from '../state/events.ts'
import { connect } from '../stream/connection.ts'
import { WALL_TEXTS } from '../texts/wall.ts'

export type WallView = { items: WallPlace[]; shows_clock: boolean }
export type WallContent = { wall: WallView; widgets: WidgetView[] }

export type WallSource = {
  stream: EventStream
  load: () => Promise<WallContent>
  isLink: boolean
  isRevoked: ReadonlySignal<boolean>
}

const LINK = /^#link=(hlw_[0-9A-Za-z]{32})$/

// The token stays in the address, so that a screen that restarts shows the wall again.
export const linkToken = (hash: string): string | undefined => LINK.exec(hash)?.[1]

export const ACCOUNT_SOURCE: WallSource = {
  stream: accountStream,
  load: () => loadWall(api.get),
  isLink: false,
  isRevoked: signal(false),
}

export function linkSource(token: string): WallSource {
  const headers = { authorization: `Bearer ${token}` }
  const isRevoked = signal(false)
  const read = async <Result>(path: string): Promise<Result> => {
    const response = await fetch(path, { headers, cache: 'no-store' })
    if (response.status === 401) isRevoked.value = true
    if (!response.ok) throw new ApiError(response.status, 'wall.unreadable', WALL_TEXTS.unreadable)
    return response.json()
  }
  const stream = createStream(
    (receive) => connect('/wall/events', receive, headers).stop,
    () => {
      isRevoked.value = true
    },
  )
  return { stream, load: () => loadWall(read), isLink: true, isRevoked }
}

async function loadWall(read: <Result>(path: string) => Promise<Result>): Promise<WallContent> {
  const [wall, { items }] = await Promise.all([read<WallView>('/wall'), read<{ items: WidgetView[] }>('/widgets')])
  return { wall, widgets: items }
}

// In the order of the wall. A widget that was made between the two requests comes with the next event.
export function placed({ wall, widgets }: WallContent): { widget: WidgetView; place: WallPlace }[] {
  return wall.items.flatMap((place) => {
    const widget = widgets.find(({ slug }) => slug === place.slug)
    return widget ? [{ widget, place }] : []
  })
}
