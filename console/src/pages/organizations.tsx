// Organizations: those that the person is in, creating one, joining one, and the pages of each.
import '../styles/joining.css'
import '../styles/organizations.css'
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import type { OrganizationInput, OrganizationView } from '../../../src/contract/organizations/organization.ts'
import { api } from '../api/client.ts'
import { JoinForm } from '../joining/join-form.tsx'
import { JoinOrganizationPage } from '../organizations/join.tsx'
import { OneOrganization } from '../organizations/one-organization.tsx'
import { orgRefusal } from '../organizations/refusal-words.ts'
import { ORGANIZATION_LINK } from '../state/join-links.ts'
import { session } from '../state/session.ts'
import { useLoaded } from '../state/use-loaded.ts'
import { TEXTS } from '../texts/base.ts'
import { ORG_TEXTS } from '../texts/organizations.ts'
import { Avatar } from '../ui/avatar.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { TextField } from '../ui/field.tsx'
import { ResourceForm } from '../ui/form.tsx'
import { lazy } from '../ui/lazy.tsx'
import { CardList, Page } from '../ui/page.tsx'
import { Refusal } from '../ui/refusal.tsx'

const HOME = '/app/organizations'

// The builder and the pages of webhooks are larger than the rest of these pages, and few people open them.
const NewActivityPage = lazy(async () => (await import('../builder/new-organization-activity.tsx')).NewActivityPage)
const WebhookPages = lazy(async () => (await import('../organizations/webhooks/pages.tsx')).WebhookPages)

export function OrganizationsPage() {
  const { path } = useLocation()
  if (path === ORGANIZATION_LINK.path) return <JoinOrganizationPage />
  const [id, tab, which, part] = path.slice(HOME.length + 1).split('/')
  if (id && tab === 'activities' && which === '_new') return <NewActivityPage orgId={id} template={part} />
  if (id && tab === 'webhooks' && which) {
    return <WebhookPages orgId={id} which={which} isTemplate={part === 'template'} />
  }
  return id ? <OneOrganization key={id} id={id} tab={tab} /> : <OrganizationList />
}

function OrganizationList() {
  const load = () => api.get<{ items: OrganizationView[] }>('/orgs')
  const list = useLoaded(load, { on: 'org.' })
  const [isCreating, setCreating] = useState(false)
  const create = (
    <Button look="primary" icon="plus" onClick={() => setCreating(true)}>
      {ORG_TEXTS.create}
    </Button>
  )
  return (
    <Page title={TEXTS.nav.organizations} intro={ORG_TEXTS.intro} actions={create}>
      <section class="card section">
        <JoinForm link={ORGANIZATION_LINK} />
      </section>
      <CardList loaded={list} items={list.value?.items} icon="organization" words={ORG_TEXTS}>
        {(organization) => <OrganizationCard key={organization.id} organization={organization} />}
      </CardList>
      {isCreating && <NewOrganization onClose={() => setCreating(false)} />}
    </Page>
  )
}

function OrganizationCard({ organization: { id, name, role, member_count } }: { organization: OrganizationView }) {
  return (
    <li class="card">
      <div class="card-head">
        <Avatar name={name} />
        <h2>
          <a href={`${HOME}/${id}`}>{name}</a>
        </h2>
        <span class="tag tag-plain">{ORG_TEXTS.roles[role]}</span>
        <span class="muted">{ORG_TEXTS.members(member_count)}</span>
      </div>
    </li>
  )
}

function NewOrganization({ onClose }: { onClose: () => void }) {
  const { route } = useLocation()
  const [name, setName] = useState('')
  const isFree = session.value.state === 'signed-in' && !session.value.account.subscribed
  const create = async () => {
    const input: OrganizationInput = { name: name.trim() }
    route(`${HOME}/${(await api.post<OrganizationView>('/orgs', input)).id}`)
  }
  return (
    <Dialog title={ORG_TEXTS.createTitle} onClose={onClose}>
      <ResourceForm
        save={create}
        refusalInWords={orgRefusal}
        submit={ORG_TEXTS.createSubmit}
        isComplete={!isFree && name.trim() !== ''}
        cancel={onClose}
      >
        <TextField
          label={ORG_TEXTS.name}
          hint={ORG_TEXTS.nameHint}
          value={name}
          onInput={setName}
          maxLength={64}
          required
          autoFocus
        />
        {isFree && <Refusal words={ORG_TEXTS.needsPlan} />}
      </ResourceForm>
    </Dialog>
  )
}
