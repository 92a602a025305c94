// Buttons, and links that look like them. A button is disabled while the promise of its click is pending, so that an action is not started twice.
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Icon, type IconName } from './icon.tsx'

export type ButtonProps = {
  children?: ComponentChildren
  icon?: IconName
  // Accessible name, for a button that shows only an icon or whose text is ambiguous.
  label?: string
  look?: 'primary' | 'plain' | 'quiet' | 'danger'
  size?: 'small' | 'normal'
  type?: 'button' | 'submit'
  disabled?: boolean
  pressed?: boolean
  onClick?: (event: MouseEvent) => unknown
  id?: string
  // In a dialog: the button that Enter presses.
  autoFocus?: boolean
}

export function Button({
  children,
  icon,
  label,
  look = 'plain',
  size = 'normal',
  onClick,
  pressed,
  ...rest
}: ButtonProps) {
  const [isBusy, setBusy] = useState(false)
  const click = async (event: MouseEvent) => {
    const work = onClick?.(event)
    if (!(work instanceof Promise)) return
    setBusy(true)
    await work.finally(() => setBusy(false))
  }
  return (
    <button
      type="button"
      {...rest}
      class={`button button-${look} ${size === 'small' ? 'button-small' : ''} ${children === undefined ? 'button-icon' : ''}`}
      aria-label={label}
      title={children === undefined ? label : undefined}
      aria-pressed={pressed}
      aria-busy={isBusy}
      disabled={rest.disabled || isBusy}
      onClick={click}
    >
      {icon && <Icon name={icon} size={size === 'small' ? 16 : 18} />}
      {children}
    </button>
  )
}

type ButtonLinkProps = Pick<ButtonProps, 'children' | 'icon' | 'label' | 'size'> & {
  href: string
  look?: 'primary' | 'plain'
  onClick?: () => void
}

export function ButtonLink({ children, icon, label, look = 'plain', size = 'normal', href, onClick }: ButtonLinkProps) {
  return (
    <a
      class={`button button-${look} ${size === 'small' ? 'button-small' : ''}`}
      href={href}
      aria-label={label}
      onClick={onClick}
    >
      {icon && <Icon name={icon} size={size === 'small' ? 16 : 18} />}
      {children}
    </a>
  )
}
