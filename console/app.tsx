/** The console: header, clock bar, the chosen screen, and the terminal line. */
import { effect } from '@preact/signals'
import { render } from 'preact'
import { useState } from 'preact/hooks'
import { notice } from './api/action.js'
import { addressOf, goTo, mode, organizationId, place, screens, type Screen } from './api/place.js'
import { connection, pulse, startFollowing } from './api/pulse.js'
import { keepToken, needsToken, worldId } from './api/request.js'
import { consoleOf, followWorld, nameOfWorld, organization, organizations, worlds } from './api/world.js'
import { ClockBar } from './components/clock-bar.js'
import { Link } from './components/parts.js'
import { TerminalLine } from './components/terminal-line.js'
import { Figures } from './screens/figures.js'
import { LeadDetail } from './screens/lead-detail.js'
import { Leads } from './screens/leads.js'
import { Now } from './screens/now.js'
import { Requests } from './screens/requests.js'
import { Webhooks } from './screens/webhooks.js'
import { World } from './screens/world.js'

const names: Readonly<Record<Screen, string>> = {
  now: 'Now',
  leads: 'Leads',
  webhooks: 'Webhooks',
  requests: 'Requests',
  world: 'World',
  figures: 'Figures',
}

const bodies: Readonly<Record<Screen, () => preact.JSX.Element>> = {
  now: Now,
  leads: () => (place.value.id === null ? <Leads /> : <LeadDetail key={place.value.id} id={place.value.id} />),
  webhooks: Webhooks,
  requests: Requests,
  world: World,
  figures: Figures,
}

function Header() {
  const { screen } = place.value
  return (
    <header class="top">
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <span class="brand" aria-hidden="true">
        svc
      </span>
      <nav aria-label="Screens">
        {screens.map((name) => (
          <Link key={name} screen={name} current={name === screen}>
            {names[name]}
          </Link>
        ))}
      </nav>
      <div class="scope">
        <WorldSwitcher screen={screen} />
        <select
          aria-label="Organization"
          value={organization.value?.id ?? ''}
          onChange={(event) => goTo(addressOf({ screen, set: { org: event.currentTarget.value } }))}
        >
          {organizations.value.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
        <div class="switch" role="group" aria-label="Mode">
          {(['live', 'test'] as const).map((one) => (
            <button
              key={one}
              type="button"
              aria-pressed={mode.value === one}
              onClick={() => goTo(addressOf({ screen, set: { mode: one === 'live' ? null : one } }))}
            >
              {one}
            </button>
          ))}
        </div>
      </div>
    </header>
  )
}

const worldsMost = 50

/** Shown once there is another world than the main one. */
function WorldSwitcher({ screen }: { screen: Screen }) {
  const all = worlds.value
  if (all.length < 2 && worldId === 'main') return null
  const ids = new Set([worldId, ...all.slice(0, worldsMost).map(({ id }) => id)])
  return (
    <select
      aria-label="World"
      value={worldId}
      onChange={(event) => location.assign(consoleOf(event.currentTarget.value, screen === 'now' ? '' : screen))}
    >
      {[...ids].map((id) => (
        <option key={id} value={id}>
          {id === 'main' ? 'main world' : nameOfWorld(id)}
        </option>
      ))}
    </select>
  )
}

function NoticeLine() {
  const shown = notice.value
  return (
    <div class="notices" role={shown?.code ? 'alert' : 'status'}>
      {shown && (
        <p class={shown.code ? 'notice problem' : 'notice good'}>
          <span>
            {shown.text} {shown.code !== null && <code>{shown.code}</code>}
          </span>
          <button type="button" class="small" aria-label="Close the message" onClick={() => (notice.value = null)}>
            ×
          </button>
        </p>
      )}
      {connection.value === 'gone' && (
        <p class="notice problem">
          <span>
            This world does not exist any more. <a href={consoleOf('main')}>Go to the main world</a>
          </span>
        </p>
      )}
      {connection.value === 'lost' && (
        <p class="notice problem">The simulator does not answer. The page connects again as soon as it does.</p>
      )}
    </div>
  )
}

function TokenScreen() {
  const [token, setToken] = useState('')
  const save = (event: Event) => {
    event.preventDefault()
    keepToken(token.trim())
  }
  return (
    <main id="main" class="token">
      <h1>svc console</h1>
      <p>
        This simulator can be reached from other machines, so it asks for its control token. It was printed at the
        start.
      </p>
      <form onSubmit={save}>
        <label class="field">
          <span>Control token</span>
          <input
            type="password"
            autocomplete="off"
            required
            value={token}
            onInput={(event) => setToken(event.currentTarget.value)}
          />
        </label>
        <button type="submit" class="main">
          Open the console
        </button>
      </form>
    </main>
  )
}

function App() {
  if (needsToken.value) return <TokenScreen />
  const Body = bodies[place.value.screen]
  return (
    <div class="page">
      <Header />
      <ClockBar />
      <NoticeLine />
      <main id="main" tabIndex={-1}>
        <h1 class="hidden-label">{names[place.value.screen]}</h1>
        <Body key={`${mode.value} ${organizationId.value ?? ''}`} />
      </main>
      <TerminalLine />
    </div>
  )
}

effect(() => {
  const clock = pulse.value
  const state = clock?.push ? '▶▶ ' : ''
  const world = worldId === 'main' ? '' : `${nameOfWorld(worldId)} · `
  document.title = `${state}${names[place.value.screen]} · ${world}${organization.value?.name ?? 'svc'} · ${mode.value}`
  document.documentElement.dataset['mode'] = mode.value
})

startFollowing()
followWorld()
const root = document.querySelector('#app')
if (root) render(<App />, root)
