// What every tab of an organization is given.
import type { OrganizationView } from '../../../src/contract/organizations/organization.ts'

// `onChange` loads the organization again.
export type TabProps = { organization: OrganizationView; onChange: () => Promise<void> }
