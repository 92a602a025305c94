// What the apps of a phone can do, side by side, and who else sees a message.
import './comparison.css'
import { PHONE_TEXTS } from '../texts/phones.ts'

type App = keyof typeof PHONE_TEXTS.apps

export function Comparison({ apps }: { apps: App[] }) {
  return (
    <details class="card comparison">
      <summary>{PHONE_TEXTS.compare}</summary>
      <table>
        <thead>
          <tr>
            <td />
            {apps.map((app) => (
              <th key={app} scope="col">
                {PHONE_TEXTS.apps[app].name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {Object.entries(PHONE_TEXTS.abilities).map(([name, ability]) => (
            <tr key={name}>
              <th scope="row">{ability.name}</th>
              {apps.map((app) => (
                <td key={app} data-app={PHONE_TEXTS.apps[app].name}>
                  {ability[app]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}
