// The events of an account, as devices and the console receive them, and those that only apps of other services are told of.
import {
  type EventData,
  type EventType,
  HIDDEN_EVENT_TYPES,
  type HiddenEventData,
  type HiddenEventType,
} from '../contract/events/event.ts'
import type { Instant } from './instant.ts'

type PublicEvent = { [Type in EventType]: { type: Type; at: Instant; data: EventData<Type> } }[EventType]
type HiddenEvent = {
  [Type in HiddenEventType]: { type: Type; at: Instant; data: HiddenEventData<Type> }
}[HiddenEventType]

export type NewEvent = PublicEvent | HiddenEvent

// `number`: the position in the feed of the account.
export type AccountEvent = PublicEvent & { number: number }
export type AppEvent = NewEvent & { number: number }

// Those that only apps of other services are told of are not part of `GET /events`.
export const isPublic = (event: AppEvent): event is AccountEvent =>
  !(HIDDEN_EVENT_TYPES as string[]).includes(event.type)
