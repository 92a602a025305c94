// The types of release.mjs, for its test.
export const PLACES: [file: string, place: RegExp][]
