// Texts of the banners that the service worker shows. It imports every language, because it shows them without a page.
export const ENGLISH = {
  acknowledge: 'Acknowledge',
  failed: 'The action failed. Try again, or open the notification.',
}
