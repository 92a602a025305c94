// The console as an app on a phone: what HTTPS has to do with it, a code to open it there, and the steps as pictures.
import { PHONE_TEXTS } from '../texts-phones.ts'
import { Copyable } from '../ui/copy.tsx'
import { lazy } from '../ui/lazy.tsx'
import { AddressTruth } from './address-truth.tsx'
import { type Picture, StepPicture } from './step-picture.tsx'

const QrCode = lazy(async () => (await import('../ui/qr-code.tsx')).QrCode)

type Step = { picture: Picture; text: string }

export function ConsoleOnPhone({ steps }: { steps: readonly Step[] }) {
  const address = `${location.origin}/app/`
  return (
    <>
      <section class="card phone-part">
        <AddressTruth address={address} isForBrowser />
        <div class="phone-access">
          <div class="phone-code">
            <QrCode text={address} label={PHONE_TEXTS.consoleQr} />
          </div>
          <div class="phone-part">
            <Copyable text={address} label={PHONE_TEXTS.consoleAddress} />
            <p class="muted">{PHONE_TEXTS.signIn}</p>
            <Copyable text={PHONE_TEXTS.signInCommand} label={PHONE_TEXTS.signInCommand} />
          </div>
        </div>
      </section>
      <section class="card phone-part">
        <h2>{PHONE_TEXTS.stepsTitle}</h2>
        <ol class="phone-pictures">
          {steps.map(({ picture, text }) => (
            <li key={text}>
              <StepPicture picture={picture} />
              <span>{text}</span>
            </li>
          ))}
        </ol>
      </section>
    </>
  )
}
