// How the search is built and read: the build and the browser must agree on it.
export const SEARCH_OPTIONS = {
  fields: ['heading', 'title', 'text'],
  storeFields: ['title', 'heading', 'weight'],
  searchOptions: {
    boost: { heading: 4, title: 3 },
    boostDocument: (_id, _term, { weight }) => weight,
    prefix: true,
    // A short word with one letter changed is another word: "code" would find "node".
    fuzzy: (term) => (term.length > 5 ? 0.15 : false),
    combineWith: 'AND',
  },
}
