// What only one of several tabs should do. Locks need a secure context; without them every tab does it.

const VISIBLE = 'visible-tab'

// Runs `work` in the first tab that asks; the others return at once.
export async function onceAmongTabs(name: string, work: () => Promise<void>): Promise<void> {
  if (!navigator.locks) return work()
  await navigator.locks.request(name, { ifAvailable: true }, async (lock) => {
    if (lock) await work()
  })
}

// Holds a lock while this tab is visible, which tells hidden tabs that someone looks at the console.
export function holdWhileVisible(): void {
  let release = () => {}
  const follow = () => {
    release()
    if (document.hidden || !navigator.locks) return
    const hidden = Promise.withResolvers<void>()
    release = hidden.resolve
    void navigator.locks.request(VISIBLE, { mode: 'shared' }, () => hidden.promise)
  }
  document.addEventListener('visibilitychange', follow)
  follow()
}

export async function isAnyTabVisible(): Promise<boolean> {
  if (!document.hidden) return true
  const { held = [] } = (await navigator.locks?.query()) ?? {}
  return held.some(({ name }) => name === VISIBLE)
}
