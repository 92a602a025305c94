// Field for the slug of something new. Left empty, the slug is made from the name.
import { TextField } from '../ui/field.tsx'

type SlugFieldProps = {
  words: { slug: string; slugHint: string; slugTaken: string }
  value: string
  fromName: string
  isTaken: boolean
  maxLength: number
  onInput: (slug: string) => void
}

export const SlugField = ({ words, value, fromName, isTaken, maxLength, onInput }: SlugFieldProps) => (
  <TextField
    label={words.slug}
    hint={words.slugHint}
    error={isTaken ? words.slugTaken : undefined}
    value={value}
    placeholder={fromName}
    onInput={onInput}
    maxLength={maxLength}
    isCode
  />
)
