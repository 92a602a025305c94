// The types of page.mjs, for its test.
export function renderPage(results: object): string
