type Requirement = {
  promise: string
  minor?: true
  only?: 'sqlite' | 'postgres'
  elsewhere?: string
  partly?: string
  missing?: string
}
export const SECTIONS: { title: string; requirements: Record<string, Requirement> }[]
export const REQUIREMENTS: Record<string, Requirement>
