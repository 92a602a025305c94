// The keys of an organization, each for all of it or limited to groups, tags and members.
import type { TargetField } from '../keys/key-form.tsx'
import { KeyList } from '../keys/key-list.tsx'
import type { KeyResource } from '../keys/levels.ts'
import { ORG_TEXTS } from '../texts/organizations.ts'
import { Waiting } from '../ui/page.tsx'
import { useGroups, useTags } from './lists.ts'
import type { TabProps } from './tab.ts'
import { EVERYONE, fromKeyTarget, keyReachInWords, toKeyTarget } from './target.ts'
import { TargetFields } from './target-fields.tsx'

// Organizations have no widgets and send no e-mail.
const RESOURCES: KeyResource[] = ['notifications', 'activities']

export function KeysTab({ organization: { id } }: TabProps) {
  const groups = useGroups(id)
  const tags = useTags(id)
  if (!groups.value || !tags.value) return <Waiting error={groups.error ?? tags.error} />
  const [allGroups, allTags] = [groups.value, tags.value]
  const targetField: TargetField = (target, onChange) => (
    <TargetFields
      orgId={id}
      by="id"
      hint={ORG_TEXTS.target.keyHint}
      draft={target ? fromKeyTarget(target) : EVERYONE}
      onChange={(draft) => onChange(toKeyTarget(draft))}
    />
  )
  return (
    <KeyList
      path={`/orgs/${id}/keys`}
      resources={RESOURCES}
      targetField={targetField}
      describeTarget={({ target }) => keyReachInWords(target, allGroups, allTags)}
    >
      {(create, list) => (
        <>
          <div class="page-actions">{create}</div>
          {list}
        </>
      )}
    </KeyList>
  )
}
