// The page behind an invitation link.
import type { OrganizationJoinPreview } from '../../../src/contract/organizations/invitation.ts'
import type { OrganizationView } from '../../../src/contract/organizations/organization.ts'
import { type Joining, JoinPage } from '../joining/join-page.tsx'
import { ORGANIZATION_LINK } from '../state/join-links.ts'
import { ORG_TEXTS } from '../texts/organizations.ts'
import { orgRefusal } from './refusal-words.ts'

const { join } = ORG_TEXTS

const JOINING: Joining<OrganizationJoinPreview['would'], OrganizationView> = {
  link: ORGANIZATION_LINK,
  title: join.title,
  joinPath: '/orgs/join',
  describe: ({ org, role }) => ({ heading: join.heading(org.name), facts: [join.roles[role], join.effect] }),
  refusalInWords: orgRefusal,
  pathOf: ({ id }) => `/app/organizations/${id}`,
}

export function JoinOrganizationPage() {
  return <JoinPage joining={JOINING} />
}
