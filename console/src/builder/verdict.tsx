// Result of the validation. Lists the violations that belong to no field of the form.
import { CARD_TEXTS } from '../texts/cards.ts'
import { Icon } from '../ui/icon.tsx'
import { type Check, isAt } from './use-check.ts'
import { violationInWords } from './violation-words.ts'

const { builder } = CARD_TEXTS

export function Verdict({ check, places }: { check: Check; places: string[] }) {
  return (
    <div class="verdict" role="status" data-state={check.state}>
      {check.state === 'checking' && builder.checking}
      {check.state === 'valid' && (
        <>
          <Icon name="check" size={18} />
          {builder.valid}
        </>
      )}
      {check.state === 'refused' && <Refusal check={check} places={places} />}
    </div>
  )
}

function Refusal({ check, places }: { check: Extract<Check, { state: 'refused' }>; places: string[] }) {
  const { violations, message } = check
  const elsewhere = violations.filter(({ location }) => !places.some((place) => isAt(location, place)))
  return (
    <>
      <Icon name="alert" size={18} />
      <div>
        <p>{violations.length === 0 ? message : builder.invalid(violations.length)}</p>
        {elsewhere.length > 0 && (
          <ul>
            {elsewhere.map(({ location, message: words }) => (
              <li key={location}>
                <code>{location.replace(/^body\.(content\.)?/, '')}</code> {violationInWords(words)}
              </li>
            ))}
          </ul>
        )}
      </div>
    </>
  )
}
