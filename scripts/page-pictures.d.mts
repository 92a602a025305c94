export type Taken = Record<string, { version: string; sources: string }>

export function outdatedPictures(releases: string[], taken?: Taken): string[]
export function releasesIn(changelog: string): string[]
