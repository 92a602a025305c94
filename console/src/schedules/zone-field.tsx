// Field for a time zone.
import { SCHEDULE_TEXTS } from '../texts/schedules.ts'
import { SelectField } from '../ui/field.tsx'
import { newTiming } from './timing.ts'

// Browsers leave UTC out of their list, and may be set to a zone that is not in it.
const ZONES = [...new Set(['UTC', newTiming('repeat').timezone, ...Intl.supportedValuesOf('timeZone')])]
  .sort()
  .map((zone) => [zone, zone.replaceAll('_', ' ')] as const)

export function ZoneField({ timezone, onChange }: { timezone: string; onChange: (timezone: string) => void }) {
  return (
    <SelectField label={SCHEDULE_TEXTS.timezone} value={timezone} options={zonesWith(timezone)} onChange={onChange} />
  )
}

// A program may have set an older name of a zone, which browsers leave out of their list.
const zonesWith = (zone: string) => (ZONES.some(([one]) => one === zone) ? ZONES : [[zone, zone] as const, ...ZONES])
