// The webhooks of the account: the list, a new one, one of them, and its template.
import '../styles/builder.css'
import '../styles/card-pages.css'
import '../styles/hooks.css'
import { useLocation } from 'preact-iso'
import { HookList } from '../hooks/hook-list.tsx'
import { NewHook } from '../hooks/new-hook.tsx'
import { OneHook } from '../hooks/one-hook.tsx'
import { ACCOUNT_HOOKS, NEW } from '../hooks/paths.ts'

export function WebhooksPage() {
  const { path } = useLocation()
  const [id, mode] = path.slice(ACCOUNT_HOOKS.home.length + 1).split('/')
  if (!id) return <HookList />
  if (id === NEW) return <NewHook />
  return <OneHook key={path} id={id} isTemplate={mode === 'template'} />
}
