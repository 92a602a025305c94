// How the search is built and read: the build and the browser must agree on it.
export const SEARCH_OPTIONS = {
  fields: ['heading', 'title', 'text'],
  storeFields: ['title', 'heading'],
  searchOptions: { boost: { heading: 4, title: 3 }, prefix: true, fuzzy: 0.15, combineWith: 'AND' },
}
