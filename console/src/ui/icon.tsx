// The console's icons, drawn on a grid of 24 with one line width. They are decoration: a text next to each says the same.

const PATHS = {
  inbox:
    'M4 13.5 6.6 6.2A1.8 1.8 0 0 1 8.3 5h7.4a1.8 1.8 0 0 1 1.7 1.2L20 13.5M4 13.5V17a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2v-3.5M4 13.5h4.5l1 2.2h5l1-2.2H20',
  widget: 'M5.5 4.5h5v7h-5zM13.5 4.5h5v4h-5zM5.5 14.5h5v5h-5zM13.5 11.5h5v8h-5z',
  activity: 'M3.5 12h4l2.5-6.5 4 13 2.5-6.5h4',
  heartbeat: 'M12 19.5 5.4 13a4.3 4.3 0 0 1 6.1-6.1l.5.5.5-.5a4.3 4.3 0 0 1 6.1 6.1zM7 12h2.6l1.4-2.4 2 4 1.4-1.6H17',
  escalation: 'M4.5 19.5h5v-5h5v-5h5M15.5 4.5h5v5M20.5 4.5l-6 5',
  quiet: 'M19.5 14.2A7.8 7.8 0 0 1 9.8 4.5a7.8 7.8 0 1 0 9.7 9.7z',
  schedule: 'M12 20a8 8 0 1 0 0-16 8 8 0 0 0 0 16zM12 8v4.2l2.8 1.8',
  receipt: 'M12 20.2 5 16.5V8l7-4 7 4v8.5zM8.8 12.2l2.3 2.2 4.2-4.4',
  key: 'M14.5 13.5a4.5 4.5 0 1 0-4.2-2.9L4 17v3h3.2v-2.2h2.2v-2.2h2.1l1-1a4.5 4.5 0 0 0 2-.1zM15.6 8.4h.01',
  hook: 'M9 7.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM9 7.5v8.3a4.2 4.2 0 0 0 8.4 0V11.5l-3.2 3.2',
  device:
    'M8.5 3.5h7a1.5 1.5 0 0 1 1.5 1.5v14a1.5 1.5 0 0 1-1.5 1.5h-7A1.5 1.5 0 0 1 7 19V5a1.5 1.5 0 0 1 1.5-1.5zM11 17.5h2',
  computer: 'M4.5 5h15v10.5h-15zM9 19.5h6M12 15.5v4',
  people:
    'M9 11.2a3.3 3.3 0 1 0 0-6.6 3.3 3.3 0 0 0 0 6.6zM3 19.4c.3-3.2 2.7-5.2 6-5.2s5.7 2 6 5.2M15.6 4.8a3.3 3.3 0 0 1 0 6.2M17.4 14.6c2.1.7 3.4 2.4 3.6 4.8',
  organization: 'M5 20V5.5h8V20M13 9.5h6V20M3.5 20h17M8 9h2M8 12.5h2M8 16h2M15.5 13h1M15.5 16.5h1',
  mail: 'M4.5 6h15v12h-15zM4.5 7l7.5 6 7.5-6',
  usage: 'M5 19.5v-6M10 19.5v-10M15 19.5v-4M20 19.5v-14',
  settings: 'M5 7h9M18 7h1M5 12h2M11 12h8M5 17h7M16 17h3M14 5v4M9 10v4M14 15v4',
  more: 'M5 7.5h14M5 12h14M5 16.5h14',
  search: 'M11 17.5a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM15.8 15.8l4 4',
  close: 'M6.5 6.5l11 11M17.5 6.5l-11 11',
  back: 'M19 12H5.5M11 6l-6 6 6 6',
  next: 'M9.5 6l6 6-6 6',
  down: 'M6 9.5l6 6 6-6',
  up: 'M6 14.5l6-6 6 6',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  checks: 'M3 12.5l4 4 8.5-9M12 15l1.5 1.5L22 7.5',
  trash: 'M5 7h14M10 7V4.5h4V7M6.5 7l.8 12.5h9.4L17.5 7M10.3 10.5v5.5M13.7 10.5v5.5',
  file: 'M7 3.5h7l4 4v13H7zM14 3.5v4h4',
  copy: 'M9 9h10.5v10.5H9zM15 9V4.5H4.5V15H9',
  link: 'M13.5 5H19v5.5M19 5l-8 8M10 6H5v13h13v-5',
  reply: 'M9.5 6 4 11.5 9.5 17M4.5 11.5H14a6 6 0 0 1 6 6v.5',
  bell: 'M12 4a5.5 5.5 0 0 1 5.5 5.5c0 4.5 2 6 2 6h-15s2-1.5 2-6A5.5 5.5 0 0 1 12 4zM10 18.7a2.2 2.2 0 0 0 4 0',
  alert: 'M12 4.2 21 19.5H3zM12 10v4.2M12 16.9h.01',
  clock: 'M12 20a8 8 0 1 0 0-16 8 8 0 0 0 0 16zM12 8v4.2l2.8 1.8',
  lock: 'M6 11h12v8.5H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3',
  plus: 'M12 5v14M5 12h14',
  roll: 'M19.5 11.5A7.5 7.5 0 0 0 6 7.3L4.5 9M4.5 4.5V9H9M4.5 12.5A7.5 7.5 0 0 0 18 16.7l1.5-1.7M19.5 19.5V15H15',
  edit: 'M5 19l.8-3.8L16 5l3 3L8.8 18.2zM14 7l3 3',
  play: 'M8 5.5v13l10.5-6.5z',
  pause: 'M8.5 5.5v13M15.5 5.5v13',
  snooze: 'M12 20.5a7.5 7.5 0 1 0 0-15 7.5 7.5 0 0 0 0 15zM9.8 10.5h4.4l-4.4 5h4.4M3.5 6.5 7 3.8M20.5 6.5 17 3.8',
  mute: 'M5 9.5v5h3l4.5 4v-13L8 9.5zM16 10l4.5 4.5M20.5 10 16 14.5',
  out: 'M14 7V4.5H5v15h9V17M10 12h10M17 9l3 3-3 3',
  sun: 'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 3v1.8M12 19.2V21M3 12h1.8M19.2 12H21M5.6 5.6l1.3 1.3M17.1 17.1l1.3 1.3M5.6 18.4l1.3-1.3M17.1 6.9l1.3-1.3',
  thread: 'M5 6.5h14M5 12h9M5 17.5h6',
  offline: 'M4 4l16 16M8.5 15.5a5 5 0 0 1 5-1.2M5.5 12a9 9 0 0 1 4-2.3M13 9.3A9 9 0 0 1 18.5 12M12 19h.01',
  book: 'M5 5.5c2.5-1 5-.8 7 .5 2-1.3 4.5-1.5 7-.5V18c-2.5-1-5-.8-7 .5-2-1.3-4.5-1.5-7-.5zM12 6v12.5',
} as const

export type IconName = keyof typeof PATHS

export function Icon({ name, size = 20 }: { name: IconName; size?: number }) {
  return (
    <svg class="icon" width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  )
}

// The logo: a sun and a mirror that reflects its light.
export function Mark({ size = 26 }: { size?: number }) {
  return (
    <svg class="mark" width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <circle class="mark-sun" cx="10" cy="11" r="4.2" />
      <path
        class="mark-ray"
        d="M10 2.8v1.7M4.2 5.2l1.2 1.2M1.8 11h1.7M15.8 5.2l-1.2 1.2M4.2 16.8l1.2-1.2M13.4 14l4 3.6"
      />
      <path class="mark-beam" d="M20.5 15.5l8.3-8.3" />
      <ellipse class="mark-glass" cx="19" cy="19.4" rx="7" ry="2.7" transform="rotate(-8 19 19.4)" />
      <path class="mark-stand" d="M19.2 22.6v2.6M19.2 25.2l-4 4M19.2 25.2l4 4" />
    </svg>
  )
}
