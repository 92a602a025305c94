// Choice of a colour: the names of the API as swatches, or hex digits.
import { useState } from 'preact/hooks'
import { COLOR_NAMES, colorHex } from '../../../../src/domain/color.ts'
import { BUILDER_TEXTS } from '../../texts/builder.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { PickerButton } from './picker-button.tsx'

type ColorProps = { label: string; error?: string; value: string; onChange: (color: string) => void }

const { color: words } = BUILDER_TEXTS

export function ColorField({ label, error, value, onChange }: ColorProps) {
  const [isOpen, setOpen] = useState(false)
  const choose = (color: string) => {
    onChange(color)
    setOpen(false)
  }
  return (
    <>
      <PickerButton
        {...{ label, error }}
        value={value === '' ? BUILDER_TEXTS.none : nameOf(value)}
        picture={<Swatch color={value} />}
        onClick={() => setOpen(true)}
      />
      {isOpen && <ColorDialog value={value} onChoose={choose} onClose={() => setOpen(false)} />}
    </>
  )
}

const nameOf = (color: string): string => BUILDER_TEXTS.colors[color.toLowerCase()] ?? color

const Swatch = ({ color }: { color: string }) => (
  <span class="swatch" style={{ background: colorHex(color) ?? 'transparent' }} aria-hidden="true" />
)

type ColorDialogProps = { value: string; onChoose: (color: string) => void; onClose: () => void }

function ColorDialog({ value, onChoose, onClose }: ColorDialogProps) {
  const [own, setOwn] = useState(COLOR_NAMES.includes(value.toLowerCase()) ? '' : value)
  return (
    <Dialog title={words.title} onClose={onClose}>
      <div class="swatches">
        {COLOR_NAMES.map((name) => (
          <button
            key={name}
            type="button"
            class="swatch-button"
            aria-pressed={value.toLowerCase() === name}
            onClick={() => onChoose(name)}
          >
            <Swatch color={name} />
            {nameOf(name)}
          </button>
        ))}
      </div>
      <div class="inline-form">
        <TextField label={words.own} value={own} onInput={setOwn} isCode placeholder="#1E88E5" />
        <Button disabled={!colorHex(own)} onClick={() => onChoose(own)}>
          {words.use}
        </Button>
      </div>
      <footer class="dialog-foot">
        <Button onClick={() => onChoose('')}>{words.clear}</Button>
      </footer>
    </Dialog>
  )
}
