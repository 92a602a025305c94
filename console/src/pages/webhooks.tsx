// Webhooks: the list, a new one, one of them, and its template.
import '../styles/builder.css'
import '../styles/card-pages.css'
import '../styles/hooks.css'
import { useLocation } from 'preact-iso'
import { HookList } from '../hooks/hook-list.tsx'
import { NewHook } from '../hooks/new-hook.tsx'
import { OneHook } from '../hooks/one-hook.tsx'
import { HOME, NEW } from '../hooks/paths.ts'

export function WebhooksPage() {
  const { path } = useLocation()
  const [id, mode] = path.slice(HOME.length + 1).split('/')
  if (!id) return <HookList />
  if (id === NEW) return <NewHook />
  return <OneHook key={path} id={id} isTemplate={mode === 'template'} />
}
