// Search and filters of the inbox.
import type { RefObject } from 'preact'
import { useRef } from 'preact/hooks'
import type { MuteView } from '../../../src/contract/holds.ts'
import { muteOfSource, useMutes } from '../mutes/mutes.ts'
import { TEXTS } from '../texts/base.ts'
import { Icon } from '../ui/icon.tsx'
import { shortMoment } from '../ui/time.tsx'
import { filter, organizations, setFilter, sources } from './inbox.ts'

// Debounce: one request after the last keystroke.
const DEBOUNCE_MS = 250

export function SearchField({ input }: { input: RefObject<HTMLInputElement | null> }) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const search = (text: string) => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setFilter({ q: text.trim() || undefined }), DEBOUNCE_MS)
  }
  return (
    <search class="search">
      <Icon name="search" size={18} />
      <input
        ref={input}
        type="search"
        class="search-input"
        aria-label={TEXTS.inbox.search}
        placeholder={TEXTS.inbox.search}
        value={filter.value.q ?? ''}
        maxLength={256}
        onInput={(event) => search(event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
      />
      <kbd>/</kbd>
    </search>
  )
}

export function Filters() {
  const { value: mutes } = useMutes()
  const { unread, level, source, orgId, threadId } = filter.value
  return (
    <div class="filters">
      <button type="button" class="chip" aria-pressed={unread} onClick={() => setFilter({ unread: !unread })}>
        {TEXTS.inbox.unreadOnly}
      </button>
      <ChipSelect
        label={TEXTS.inbox.level}
        value={level}
        options={Object.entries(TEXTS.levels)}
        onChange={(value) => setFilter({ level: value })}
      />
      {(sources.value.length > 0 || source) && (
        <ChipSelect
          label={TEXTS.inbox.source}
          value={source}
          options={withMutes(withChosen(sources.value, source), mutes)}
          onChange={(value) => setFilter({ source: value })}
        />
      )}
      {(organizations.value.length > 0 || orgId) && (
        <ChipSelect
          label={TEXTS.inbox.organization}
          value={orgId}
          options={withChosen(organizations.value, orgId)}
          onChange={(value) => setFilter({ orgId: value })}
        />
      )}
      {threadId && (
        <button type="button" class="chip" aria-pressed="true" onClick={() => setFilter({ threadId: undefined })}>
          <Icon name="thread" size={16} />
          {threadId}
          <Icon name="close" size={14} />
        </button>
      )}
    </div>
  )
}

// The chosen one stays although nothing that is listed comes from it.
const withChosen = (options: [string, string][], chosen: string | undefined): [string, string][] =>
  chosen === undefined || options.some(([one]) => one === chosen) ? options : [...options, [chosen, chosen]]

const withMutes = (options: [string, string][], mutes: MuteView[] | undefined): [string, string][] =>
  options.map(([source, name]) => {
    const mute = muteOfSource(mutes, source)
    return [source, mute ? TEXTS.inbox.mutedUntil(name, shortMoment(mute.until)) : name]
  })

type ChipSelectProps = {
  label: string
  value?: string
  options: [string, string][]
  onChange: (value: string | undefined) => void
}

function ChipSelect({ label, value, options, onChange }: ChipSelectProps) {
  return (
    <span class={value ? 'chip chip-select chip-on' : 'chip chip-select'}>
      <select
        aria-label={label}
        value={value ?? ''}
        onChange={(event) => onChange(event.currentTarget.value || undefined)}
      >
        <option value="">{label}</option>
        {options.map(([option, name]) => (
          <option key={option} value={option}>
            {name}
          </option>
        ))}
      </select>
      <Icon name="down" size={14} />
    </span>
  )
}
