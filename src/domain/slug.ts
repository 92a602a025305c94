// Slugs: the names that clients give to widgets and activities.
import { SLUG_PATTERN } from '../contract/fields.ts'

const SLUG = new RegExp(SLUG_PATTERN)

export const isSlug = (text: string): boolean => SLUG.test(text)
