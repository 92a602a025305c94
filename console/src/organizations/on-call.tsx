// The heartbeats and the escalation policies of an organization.
import { organizationPlace } from '../on-call/place.ts'
import { lazy } from '../ui/lazy.tsx'
import type { TabProps } from './tab.ts'

const Heartbeats = lazy(async () => (await import('../on-call/heartbeats/heartbeats.tsx')).Heartbeats)
const Escalations = lazy(async () => (await import('../on-call/escalations/escalations.tsx')).Escalations)

export const HeartbeatsTab = ({ organization }: TabProps) => (
  <Heartbeats place={organizationPlace('heartbeats', organization)} />
)

export const EscalationsTab = ({ organization }: TabProps) => (
  <Escalations place={organizationPlace('escalations', organization)} />
)
