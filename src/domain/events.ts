// The events of an account, as devices and the console receive them.
import type { EventData, EventType } from '../contract/events/event.ts'
import type { Instant } from './instant.ts'

export type NewEvent = { [Type in EventType]: { type: Type; at: Instant; data: EventData<Type> } }[EventType]

// `number`: the position in the feed of the account.
export type AccountEvent = NewEvent & { number: number }
