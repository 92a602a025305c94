// The command palette: a field and a list of pages and actions. The field keeps the focus, and names the current entry of
// the list (the combobox pattern of ARIA).
import './palette.css'
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { FIRST_RUN } from '../first-run/visibility.ts'
import { toQuery } from '../inbox/filter.ts'
import { markShownRead } from '../inbox/triage.ts'
import { snoozeTimes } from '../mutes/times.ts'
import { beQuietUntil } from '../on-call/quiet-hours/now.ts'
import { NEW_MESSAGE, SECTIONS } from '../pages.ts'
import { signOut } from '../state/session.ts'
import { THEMES, theme } from '../state/theme.ts'
import { useLoaded } from '../state/use-loaded.ts'
import { ACCOUNT_TEXTS } from '../texts/account.ts'
import { TEXTS } from '../texts/base.ts'
import { FIRST_RUN_TEXTS } from '../texts/first-run.ts'
import { QUIET_TEXTS } from '../texts/quiet.ts'
import { QUIET_HOURS_TEXTS } from '../texts/quiet-hours.ts'
import { SETUP_TEXTS } from '../texts/setup.ts'
import { Confirm } from '../ui/dialog.tsx'
import { Icon } from '../ui/icon.tsx'
import { type Command, findCommands, movedBy } from './commands.ts'
import { takeTyped } from './palette-open.ts'
import { type FoundRecord, loadRecords } from './records.ts'

const { palette: words } = ACCOUNT_TEXTS

type Route = (path: string) => void

const MOST_RECORDS = 12

const toCommand =
  (route: Route) =>
  ({ kind, name, page, icon }: FoundRecord, index: number): Command => ({
    // Several records may have one page, and one name.
    id: `record-${index}`,
    name,
    kind: words.kinds[kind],
    icon,
    run: () => route(page),
  })

export function Palette({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const { route } = useLocation()
  const [query, setQuery] = useState(takeTyped)
  const [current, setCurrent] = useState(0)
  const [isLeaving, setLeaving] = useState(false)
  const listId = useId()
  useLayoutEffect(() => {
    dialog.current?.showModal()
  }, [])
  const records = useLoaded(loadRecords).value ?? []
  const entries = [
    ...findCommands(
      allCommands(route, () => setLeaving(true)),
      query,
    ),
    // Records are found by their names, and not listed unasked.
    ...(query.trim() === '' ? [] : findCommands(records.map(toCommand(route)), query).slice(0, MOST_RECORDS)),
    ...searchFor(query, route),
  ]
  const run = (command: Command | undefined) => {
    if (!command) return
    // Closed rather than removed, so that the focus returns to where it was.
    if (!command.isAsking) dialog.current?.close()
    command.run()
  }
  const press = (event: KeyboardEvent) => {
    if (event.isComposing) return
    if (event.key === 'Enter') run(entries[current])
    else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      setCurrent(movedBy(event.key === 'ArrowDown' ? 1 : -1, current, entries.length))
    } else return
    event.preventDefault()
  }
  if (isLeaving) {
    const { leaveTitle, leaveText, signOut: confirm } = SETUP_TEXTS.settings
    return (
      <Confirm title={leaveTitle} confirm={confirm} look="primary" work={() => signOut()} onClose={onClose}>
        {leaveText}
      </Confirm>
    )
  }
  const idOf = (index: number) => `${listId}-${index}`
  return (
    <dialog ref={dialog} class="dialog palette" aria-label={words.title} closedby="any" onClose={onClose}>
      <input
        class="input palette-input"
        type="text"
        role="combobox"
        aria-label={words.title}
        aria-expanded="true"
        aria-controls={listId}
        aria-activedescendant={entries.length > 0 ? idOf(current) : undefined}
        aria-autocomplete="list"
        placeholder={words.placeholder}
        autocomplete="off"
        dir="auto"
        value={query}
        onInput={(event) => {
          setQuery(event.currentTarget.value)
          setCurrent(0)
        }}
        onKeyDown={press}
      />
      <div id={listId} class="palette-list" role="listbox" aria-label={words.title}>
        {entries.map((command, index) => (
          <Entry
            key={command.id}
            id={idOf(index)}
            command={command}
            isCurrent={index === current}
            onChoose={() => run(command)}
          />
        ))}
      </div>
    </dialog>
  )
}

type EntryProps = { id: string; command: Command; isCurrent: boolean; onChoose: () => void }

function Entry({ id, command, isCurrent, onChoose }: EntryProps) {
  const entry = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isCurrent) entry.current?.scrollIntoView({ block: 'nearest' })
  }, [isCurrent])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus and takes the keys.
    // biome-ignore lint/a11y/useFocusableInteractive: the field has the focus, and names this entry.
    <div ref={entry} id={id} class="palette-entry" role="option" aria-selected={isCurrent} onClick={onChoose}>
      <Icon name={command.icon} />
      <span>
        {command.name} {command.kind && <span class="muted">{command.kind}</span>}
      </span>
    </div>
  )
}

// `leave` asks whether to sign out.
function allCommands(route: Route, leave: () => void): Command[] {
  const pages = SECTIONS.flatMap(({ icon, name: section, views }) =>
    views.map(
      ({ path, name, onOpen }): Command => ({
        id: path,
        name: name === TEXTS.inbox.all ? section : name,
        words: words.synonyms[path],
        icon,
        run: () => {
          onOpen?.()
          route(path)
        },
      }),
    ),
  )
  const themes = THEMES.map(
    (name): Command => ({
      id: `theme-${name}`,
      name: words.theme(SETUP_TEXTS.settings.themes[name]),
      icon: 'sun',
      run: () => (theme.value = name),
    }),
  )
  return [
    { id: 'new', name: NEW_MESSAGE.name, icon: 'edit', run: () => route(NEW_MESSAGE.path) },
    ...pages,
    {
      id: 'new-key',
      name: words.newKey,
      words: words.synonyms['new-key'],
      icon: 'plus',
      run: () => route('/app/keys?new'),
    },
    {
      id: 'add-phone',
      name: words.addPhone,
      words: words.synonyms['add-phone'],
      icon: 'device',
      run: () => route('/app/devices/add'),
    },
    { id: 'new-heartbeat', name: words.newHeartbeat, icon: 'plus', run: () => route('/app/heartbeats/_new') },
    { id: 'new-escalation', name: words.newEscalation, icon: 'plus', run: () => route('/app/escalations/_new') },
    {
      id: 'first-steps',
      name: FIRST_RUN_TEXTS.title,
      words: words.synonyms['first-steps'],
      icon: 'check',
      run: () => route(FIRST_RUN),
    },
    ...quietCommands(),
    { id: 'read-all', name: TEXTS.inbox.markAllRead, icon: 'checks', run: markShownRead },
    ...themes,
    {
      id: 'sign-out',
      name: SETUP_TEXTS.settings.signOut,
      words: words.synonyms['sign-out'],
      icon: 'out',
      isAsking: true,
      run: leave,
    },
  ]
}

// The texts of quiet hours are loaded with the palette.
function quietCommands(): Command[] {
  return snoozeTimes(new Date()).map(([choice, until]) => ({
    id: `quiet-${choice}`,
    name: QUIET_HOURS_TEXTS.doNotDisturb(QUIET_TEXTS.snoozeChoices[choice]),
    words: words.synonyms.quiet,
    icon: 'quiet',
    run: () => beQuietUntil(until),
  }))
}

function searchFor(query: string, route: Route): Command[] {
  const q = query.trim()
  if (q === '') return []
  const run = () => route(`/app/${toQuery({ unread: false, q })}`)
  return [{ id: 'search', name: words.search(q), icon: 'search', run }]
}
