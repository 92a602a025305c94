// The pages of heartbeats: the list, a new one, one of them, and its form.
import '../../styles/hooks.css'
import '../../styles/card-pages.css'
import '../../builder/fields/fields.css'
import './heartbeats.css'
import { useLocation } from 'preact-iso'
import { NEW, type Place, personalPlace } from '../place.ts'
import { HeartbeatForm } from './heartbeat-form.tsx'
import { HeartbeatList } from './heartbeat-list.tsx'
import { OneHeartbeat } from './one-heartbeat.tsx'

const PERSONAL = personalPlace('heartbeats')

export const HeartbeatsPage = () => <Heartbeats place={PERSONAL} />

export function Heartbeats({ place }: { place: Place }) {
  const { path } = useLocation()
  const [slug, mode] = path.slice(place.home.length + 1).split('/')
  if (!slug) return <HeartbeatList place={place} />
  if (slug === NEW) return <HeartbeatForm place={place} />
  return <OneHeartbeat key={path} place={place} slug={decodeURIComponent(slug)} isEdited={mode === 'edit'} />
}
