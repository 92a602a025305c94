// The heartbeats of an organization.
import { organizationPlace } from '../on-call/place.ts'
import { lazy } from '../ui/lazy.tsx'
import type { TabProps } from './tab.ts'

const Heartbeats = lazy(async () => (await import('../on-call/heartbeats/heartbeats.tsx')).Heartbeats)

export const HeartbeatsTab = ({ organization }: TabProps) => (
  <Heartbeats place={organizationPlace('heartbeats', organization)} />
)
