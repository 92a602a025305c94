// Which language the console has, and how its dates are written.
import { expect, test } from 'vitest'
import { preferred } from '../../console/src/language.ts'

test.each([
  ['the first of the browser that we have', null, ['fr-FR', 'de-AT', 'en-GB'], 'de', 'de-AT'],
  ['English, with the region of the browser', null, ['en-GB', 'de'], 'en', 'en-GB'],
  ['English, with dates of the browser, if it has none of ours', null, ['fr-FR'], 'en', undefined],
  ['the chosen one before those of the browser', 'de', ['en-GB'], 'de', 'de'],
  ['the chosen one with the region of the browser', 'en', ['de-DE', 'en-GB'], 'en', 'en-GB'],
  ['that of the browser, if the chosen one is no longer there', 'xx', ['de-DE'], 'de', 'de-DE'],
])('%s', (_which, chosen, ofBrowser, language, dates) => {
  expect(preferred(chosen, ofBrowser)).toEqual([language, dates])
})
