// German texts of the banners that the service worker shows.
import type { ENGLISH } from '../banner.ts'

export const BANNER: typeof ENGLISH = {
  acknowledge: 'Bestätigen',
  failed: 'Die Aktion ist fehlgeschlagen. Erneut versuchen oder die Benachrichtigung öffnen.',
}
