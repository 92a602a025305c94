// Puts the widgets of the wall in order, sets their sizes, and manages the links that show it.
import '../builder/fields/fields.css'
import './wall.css'
import { useState } from 'preact/hooks'
import type { WallSize } from '../../../src/contract/widgets.ts'
import { api } from '../api/client.ts'
import { ShowOnScreen } from '../screens/show-on-screen.tsx'
import { attempt } from '../state/toasts.ts'
import { useLoaded } from '../state/use-loaded.ts'
import { SCREEN_TEXTS, WALL_TEXTS } from '../texts/wall.ts'
import { ButtonLink } from '../ui/button.tsx'
import { SelectField } from '../ui/field.tsx'
import { Empty, Page, Waiting } from '../ui/page.tsx'
import { useReorder } from '../ui/reorder.tsx'
import { WallLinks } from './links.tsx'
import { ACCOUNT_SOURCE, placed, type WallContent, type WallView } from './source.ts'

const SIZES = Object.entries(WALL_TEXTS.sizes) as [WallSize, string][]

export function ArrangePage() {
  const { value, error, reload } = useLoaded(ACCOUNT_SOURCE.load, { on: ['widget.', 'wall.'] })
  const actions = (
    <>
      <ShowOnScreen name={WALL_TEXTS.title} shows={{ wall: true }} text={SCREEN_TEXTS.showWall} />
      <ButtonLink look="primary" href="/app/wall">
        {WALL_TEXTS.open}
      </ButtonLink>
    </>
  )
  return (
    <Page title={WALL_TEXTS.arrangeTitle} intro={WALL_TEXTS.intro} actions={actions}>
      {value ? <Order content={value} onChange={reload} /> : <Waiting error={error} retry={reload} />}
      <WallLinks />
    </Page>
  )
}

function Order({ content, onChange }: { content: WallContent; onChange: () => Promise<void> }) {
  // Shown at once; the server's answer follows.
  const [wanted, setWanted] = useState<WallView>()
  const wall = wanted ?? content.wall
  const entries = placed({ ...content, wall })
  const save = async (change: Partial<WallView>) => {
    const changed = { ...wall, ...change }
    setWanted(changed)
    await attempt(async () => {
      await api.put('/wall', changed)
      await onChange()
    })
    // Unless another change has followed it.
    setWanted((latest) => (latest === changed ? undefined : latest))
  }
  const order = useReorder(entries, (moved) => void save({ items: moved.map(({ place }) => place) }))
  if (entries.length === 0) return <Empty icon="widget" title={WALL_TEXTS.empty} />
  return (
    <section class="card section">
      <h2>{WALL_TEXTS.order}</h2>
      <ul class="rows-list" {...order.listProps}>
        {order.items.map(({ widget, place }, index) => (
          <li key={widget.slug} class="wall-row" {...order.entryProps(index)}>
            {order.handle(index)}
            <strong dir="auto">{widget.name}</strong>
            <SelectField
              label={WALL_TEXTS.sizeOf(widget.name)}
              isLabelHidden
              value={place.size}
              options={SIZES}
              onChange={(size) =>
                void save({ items: entries.map((entry) => (entry.place === place ? { ...place, size } : entry.place)) })
              }
            />
            {order.moveButtons(index, {
              up: WALL_TEXTS.moveUp(widget.name),
              down: WALL_TEXTS.moveDown(widget.name),
            })}
          </li>
        ))}
      </ul>
      <label class="check-field">
        <input
          type="checkbox"
          checked={wall.shows_clock}
          onChange={(event) => void save({ shows_clock: event.currentTarget.checked })}
        />
        {WALL_TEXTS.clock}
      </label>
    </section>
  )
}
