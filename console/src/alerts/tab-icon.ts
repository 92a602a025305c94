// The icon of the browser tab: with a dot for unread notifications, red for a critical one.

const ICONS = { plain: '/app/icon.svg', unread: '/app/icon-unread.svg', critical: '/app/icon-critical.svg' }

export function showTabIcon(state: keyof typeof ICONS): void {
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]')
  if (link && link.getAttribute('href') !== ICONS[state]) link.href = ICONS[state]
}
