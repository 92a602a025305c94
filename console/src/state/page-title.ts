// Title of the open page; the browser tab shows it with the unread count.
import { signal } from '@preact/signals'

export const pageTitle = signal('')
