// "by Ada": the member of an organization who answered or acknowledged.
import type { MemberView } from '../../../src/contract/organizations/organization.ts'
import { api, unlessMissing } from '../api/client.ts'
import { session } from '../state/session.ts'
import { useLoaded } from '../state/use-loaded.ts'
import { TEXTS } from '../texts/base.ts'

type ByMemberProps = { orgId: string; userId: string }

export function ByMember({ orgId, userId }: ByMemberProps) {
  // Missing: that member, or this person, has left the organization.
  const load = async () => (await unlessMissing(api.get<MemberView>(`/orgs/${orgId}/members/${userId}`))) ?? 'missing'
  const { value } = useLoaded(load, { key: userId })
  const isMe = session.value.state === 'signed-in' && session.value.account.id === userId
  if (isMe) return <span>{TEXTS.detail.answeredByYou}</span>
  if (!value) return null
  return <span>{TEXTS.detail.answeredBy(value === 'missing' ? undefined : value.nickname)}</span>
}
