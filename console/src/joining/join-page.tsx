// The page behind a link with a code: shows what the code is for, and asks before joining.
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { ApiError, api, isUnreachable } from '../api/client.ts'
import type { JoinLink } from '../state/join-links.ts'
import { showToast } from '../state/toasts.ts'
import { useLoaded } from '../state/use-loaded.ts'
import { JOIN_TEXTS } from '../texts/joining.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { Empty, Page, Waiting } from '../ui/page.tsx'
import { Refusal, useRefusal } from '../ui/refusal.tsx'
import { JoinForm } from './join-form.tsx'

// What joining means here. `Offer` is `would` of the dry run.
export type Joining<Offer, Joined> = {
  link: JoinLink
  title: string
  // Path of the API.
  joinPath: string
  describe: (offer: Offer) => { heading: string; facts: string[] }
  refusalInWords: (error: unknown) => string
  // What is said afterwards, and the page to open.
  done?: (joined: Joined) => string
  pathOf: (joined: Joined) => string
}

type JoinPageProps<Offer, Joined> = { joining: Joining<Offer, Joined> }

export function JoinPage<Offer, Joined>({ joining }: JoinPageProps<Offer, Joined>) {
  const { link, title } = joining
  const code = link.code.value
  // Leaving the page is a decision too.
  useEffect(() => () => dropCode(link), [])
  return (
    <Page title={title}>
      {code ? (
        <CodeOffer key={code} code={code} joining={joining} />
      ) : (
        <section class="card section">
          <JoinForm link={link} />
        </section>
      )}
    </Page>
  )
}

function dropCode(link: JoinLink): void {
  link.code.value = ''
}

type CodeProps<Offer, Joined> = JoinPageProps<Offer, Joined> & { code: string }

function CodeOffer<Offer, Joined>({ code, joining }: CodeProps<Offer, Joined>) {
  const { value, error, reload } = useLoaded(() => loadOffer(code, joining))
  if (!value) return <Waiting error={error} retry={reload} />
  if ('refusal' in value) {
    const other = <Button onClick={() => dropCode(joining.link)}>{JOIN_TEXTS.otherCode}</Button>
    return (
      <Empty icon="alert" title={JOIN_TEXTS.refused} action={other}>
        <p role="alert">{value.refusal}</p>
      </Empty>
    )
  }
  return <Invitation code={code} joining={joining} {...joining.describe(value.offer)} />
}

// A failure to reach the server is thrown: it says nothing about the code and can be retried.
async function loadOffer<Offer, Joined>(
  code: string,
  { joinPath, refusalInWords }: Joining<Offer, Joined>,
): Promise<{ offer: Offer } | { refusal: string }> {
  try {
    return { offer: (await api.post<{ would: Offer }>(`${joinPath}?dry_run=true`, { code })).would }
  } catch (error) {
    if (!(error instanceof ApiError) || isUnreachable(error) || error.status >= 500) throw error
    return { refusal: refusalInWords(error) }
  }
}

type InvitationProps<Offer, Joined> = CodeProps<Offer, Joined> & { heading: string; facts: ComponentChildren[] }

function Invitation<Offer, Joined>({ code, joining, heading, facts }: InvitationProps<Offer, Joined>) {
  const { route } = useLocation()
  const { refusal, attempt } = useRefusal(joining.refusalInWords)
  const accept = async () => {
    const joined = await api.post<Joined>(joining.joinPath, { code })
    showToast(joining.done?.(joined) ?? JOIN_TEXTS.done)
    route(joining.pathOf(joined))
  }
  return (
    <section class="card section invitation">
      <span class="invitation-icon">
        <Icon name="people" size={28} />
      </span>
      <h2>{heading}</h2>
      {facts.map((fact, index) => (
        <p key={index}>{fact}</p>
      ))}
      <Refusal words={refusal} />
      <div class="card-actions">
        <Button look="primary" onClick={() => attempt(accept)}>
          {JOIN_TEXTS.submit}
        </Button>
        <Button onClick={() => route('/app/')}>{JOIN_TEXTS.notNow}</Button>
      </div>
    </section>
  )
}
