// Tiles of programs, in groups. What connects the chosen one is loaded with it.
import { useState } from 'preact/hooks'
import { FIRST_RUN_TEXTS, PROGRAM_GROUPS, type ProgramId } from '../texts/first-run.ts'
import { Avatar } from '../ui/avatar.tsx'
import { lazy } from '../ui/lazy.tsx'
import type { Made } from './chosen-program.tsx'
import { programsOf } from './programs.ts'

const ChosenProgram = lazy(async () => (await import('./chosen-program.tsx')).ChosenProgram)

// `onUsed`: a program has sent its first request.
export function ConnectProgram({ onUsed }: { onUsed: () => Promise<void> }) {
  const [chosen, setChosen] = useState<ProgramId>()
  // A person who looks at another tile finds the snippet again.
  const [made, setMade] = useState<Partial<Record<ProgramId, Made>>>({})
  const { groups } = FIRST_RUN_TEXTS.program
  const toggle = (id: ProgramId) => setChosen(id === chosen ? undefined : id)
  return (
    <>
      {PROGRAM_GROUPS.map((group) => (
        <div key={group} class="program-group">
          <h4>{groups[group]}</h4>
          <ul class="program-tiles">
            {programsOf(group).map((id) => (
              <li key={id}>
                <Tile id={id} isChosen={id === chosen} onChoose={() => toggle(id)} />
              </li>
            ))}
          </ul>
        </div>
      ))}
      {chosen && (
        <ChosenProgram
          key={chosen}
          id={chosen}
          made={made[chosen]}
          onMade={(one) => setMade((before) => ({ ...before, [chosen]: one }))}
          onUsed={onUsed}
        />
      )}
    </>
  )
}

function Tile({ id, isChosen, onChoose }: { id: ProgramId; isChosen: boolean; onChoose: () => void }) {
  const { name, about } = FIRST_RUN_TEXTS.program.programs[id]
  return (
    <button type="button" class="program-tile" aria-expanded={isChosen} onClick={onChoose}>
      <Avatar name={name} size={32} />
      <span>
        <strong>{name}</strong>
        <span class="muted">{about}</span>
      </span>
    </button>
  )
}
