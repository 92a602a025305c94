// Steps on a phone, each with a drawing of its screen. The drawings are decoration: the text below each says the same.
import type { ComponentChildren } from 'preact'

type Picture = 'open' | 'share' | 'menu' | 'app' | 'bell'
export type PictureStep = { picture: Picture; text: string }

export function PictureSteps({ steps }: { steps: readonly PictureStep[] }) {
  return (
    <ol class="phone-pictures">
      {steps.map(({ picture, text }) => (
        <li key={text}>
          <StepPicture picture={picture} />
          <span>{text}</span>
        </li>
      ))}
    </ol>
  )
}

function StepPicture({ picture }: { picture: Picture }) {
  return (
    <svg class="step-picture" viewBox="0 0 80 120" aria-hidden="true">
      <rect class="step-phone" x="10" y="3" width="60" height="114" rx="10" />
      <path class="step-line" d="M33 9h14" />
      {SCREENS[picture]}
    </svg>
  )
}

const SCREENS: Record<Picture, ComponentChildren> = {
  // A page with its address at the bottom.
  open: (
    <>
      <path class="step-line" d="M20 28h28M20 38h40M20 46h34M20 54h38" />
      <rect class="step-mark" x="17" y="96" width="46" height="12" rx="6" />
    </>
  ),
  // The sheet behind the share button, with "add to home screen" highlighted.
  share: (
    <>
      <path class="step-line" d="M20 24h30" />
      <path class="step-accent" d="M40 34v22M34 40l6-6 6 6M30 46h-3v18h26V46h-3" />
      <path class="step-line" d="M18 78h44M18 104h44" />
      <rect class="step-mark" x="16" y="84" width="48" height="14" rx="4" />
      <path class="step-on-mark" d="M22 91h24M57 87.5v7M53.500 91h7" />
    </>
  ),
  // The menu of a browser with "install" highlighted.
  menu: (
    <>
      <path class="step-accent" d="M60 18v.1M60 23v.1M60 28v.1" />
      <rect class="step-sheet" x="26" y="34" width="38" height="52" rx="4" />
      <path class="step-line" d="M32 44h22M32 76h18" />
      <rect class="step-mark" x="29" y="53" width="32" height="13" rx="3" />
      <path class="step-on-mark" d="M34 59.500h20" />
    </>
  ),
  // The home screen with the app among others.
  app: (
    <>
      <rect class="step-sheet" x="18" y="24" width="12" height="12" rx="3" />
      <rect class="step-sheet" x="34" y="24" width="12" height="12" rx="3" />
      <rect class="step-sheet" x="50" y="24" width="12" height="12" rx="3" />
      <rect class="step-sheet" x="18" y="42" width="12" height="12" rx="3" />
      <rect class="step-mark" x="33" y="41" width="14" height="14" rx="4" />
      <rect class="step-sheet" x="50" y="42" width="12" height="12" rx="3" />
      <path class="step-line" d="M24 104h32" />
    </>
  ),
  // A notification on the screen.
  bell: (
    <>
      <rect class="step-mark" x="15" y="22" width="50" height="26" rx="6" />
      <path class="step-on-mark" d="M30 31h28M30 39h20M22.500 31v8" />
      <path class="step-line" d="M24 104h32" />
    </>
  ),
}
