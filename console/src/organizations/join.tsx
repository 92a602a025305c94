// The page behind an invitation link.
import type { OrganizationJoinPreview } from '../../../src/contract/organizations/invitation.ts'
import type { OrganizationView } from '../../../src/contract/organizations/organization.ts'
import { type Joining, JoinPage } from '../joining/join-page.tsx'
import { ORGANIZATION_LINK } from '../state/join-links.ts'
import { JOIN_TEXTS } from '../texts/joining.ts'
import { ORG_TEXTS } from '../texts/organizations.ts'
import { orgRefusal } from './refusal-words.ts'

const { join } = ORG_TEXTS

const JOINING: Joining<OrganizationJoinPreview['would'], OrganizationView> = {
  link: ORGANIZATION_LINK,
  title: join.title,
  joinPath: '/orgs/join',
  describe: ({ org, role }) => ({ heading: join.heading(org.name), facts: [join.roles[role], join.effect] }),
  refusalInWords: orgRefusal,
  // What a member gets from it arrives in the own inbox; who manages it goes there.
  pathOf: ({ id, role }) => (role === 'member' ? '/app/' : `/app/organizations/${id}`),
  done: ({ name, role }) => (role === 'member' ? JOIN_TEXTS.doneIn(name) : JOIN_TEXTS.done),
}

export function JoinOrganizationPage() {
  return <JoinPage joining={JOINING} />
}
