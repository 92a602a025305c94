// The heartbeats of the account.
import { Heartbeats } from '../on-call/heartbeats/heartbeats.tsx'
import { personalPlace } from '../on-call/place.ts'

const PLACE = personalPlace('heartbeats')

export const HeartbeatsPage = () => <Heartbeats place={PLACE} />
