// The console as an app on a phone: a code that signs in there, and the steps as pictures.
import { PHONE_TEXTS } from '../texts/phones.ts'
import { SignInCode } from './sign-in-code.tsx'
import { type PictureStep, PictureSteps } from './step-picture.tsx'

export function ConsoleOnPhone({ steps }: { steps: readonly PictureStep[] }) {
  return (
    <>
      <SignInCode />
      <section class="card phone-part">
        <h2>{PHONE_TEXTS.stepsTitle}</h2>
        <PictureSteps steps={steps} />
      </section>
    </>
  )
}
