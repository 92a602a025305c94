// What the open page is called. The browser's tab shows it with the number of unread ones.
import { signal } from '@preact/signals'

export const pageTitle = signal('')
