// Where a part of on-call is: in the account, or in an organization. The pages are the same, at other addresses.
import type { OrganizationView } from '../../../src/contract/organizations/organization.ts'

export type Owner = Pick<OrganizationView, 'id' | 'name'>

export type Place = {
  // Collection of the API.
  collection: string
  // Page of the list.
  home: string
  // Undefined: the account.
  organization?: Owner
}

export const personalPlace = (name: string): Place => ({ collection: `/${name}`, home: `/app/${name}` })

export const organizationPlace = (name: string, organization: Owner): Place => ({
  collection: `/orgs/${organization.id}/${name}`,
  home: `/app/organizations/${organization.id}/${name}`,
  organization,
})

// Where the API has the escalation policies that alerts of this owner may name.
export const escalationsOf = (organization: Owner | undefined): string =>
  organization ? organizationPlace('escalations', organization).collection : personalPlace('escalations').collection

// Not a valid slug, so it cannot collide with one.
export const NEW = '_new'

export const pathOf = ({ collection }: Place, slug: string): string => `${collection}/${encodeURIComponent(slug)}`
export const pageOf = ({ home }: Place, slug: string): string => `${home}/${encodeURIComponent(slug)}`

// A slug for a name: "Nightly backup" is nightly-backup. Empty if the name has no Latin letter and no digit.
export function slugFor(name: string, maxChars: number): string {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  const words = plain.match(/[a-z0-9]+/g) ?? []
  return words.join('-').slice(0, maxChars).replace(/-$/, '')
}
