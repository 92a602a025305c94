// The event stream of the account; and the stream that a part of the page follows, which is another one on the pages of an
// organization.
import { createContext } from 'preact'
import { createEventStream } from './event-stream.ts'

export const accountStream = createEventStream('/events')

export const FollowedStream = createContext(accountStream)
