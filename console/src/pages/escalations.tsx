// The escalation policies of the account.
import { Escalations } from '../on-call/escalations/escalations.tsx'
import { personalPlace } from '../on-call/place.ts'

const PLACE = personalPlace('escalations')

export const EscalationsPage = () => <Escalations place={PLACE} />
