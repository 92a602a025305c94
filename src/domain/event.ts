// The changes of an account that open devices and the console are told about.
import type { EventData } from '../contract/event.ts'
import type { EventType } from '../contract/event-types.ts'
import type { Instant } from './instant.ts'

export type NewEvent = { [Type in EventType]: { type: Type; at: Instant; data: EventData<Type> } }[EventType]

// `number`: the position in the feed of the account.
export type AccountEvent = NewEvent & { number: number }
