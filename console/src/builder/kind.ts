// What the builder builds: a widget, or an activity of the account or of an organization.

import type { ComponentType } from 'preact'
import type { ApiRequest, Draft } from './draft.ts'
import type { Content } from './fields/document.ts'
import type { ContentField } from './fields/field.ts'

export type BuilderKind = {
  // Path of the list page.
  home: string
  // Collection of the API that they are in.
  collection: string
  settings: readonly string[]
  fieldsOf: (content: Content) => ContentField[]
  requestsOf: (draft: Draft) => ApiRequest[]
  // Page that opens after saving.
  pageOf: (draft: Draft) => string
  Preview: ComponentType<{ draft: Draft }>
}
