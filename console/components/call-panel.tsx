/** A call with its transcript and its recording. */
import { useEffect, useState } from 'preact/hooks'
import type { Call } from '../../src/contract/calls.js'
import { notice } from '../api/action.js'
import { scope } from '../api/place.js'
import { base, call, RequestError, send } from '../api/request.js'
import { useResource } from '../api/resource.js'
import { Tag, words } from './parts.js'
import { duration, Time } from './time.js'

export function CallPanel({ call: one }: { call: Call }) {
  const [isOpen, setOpen] = useState(false)
  const seconds = one.duration_seconds
  return (
    <details class="call" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <Tag tone={one.outcome === 'interested' ? 'green' : one.status === 'ended' ? 'plain' : 'blue'}>
          {words(one.outcome ?? one.status)}
        </Tag>
        <span class="number">{seconds !== null && duration(seconds * 1_000)}</span>
        <span class="quiet">
          <Time at={one.started} />
        </span>
        <span class="quiet">
          {one.direction}, {one.handled_by.name}
        </span>
      </summary>
      {one.note !== null && <p>{one.note}</p>}
      {isOpen && one.transcript_available && <Transcript id={one.id} />}
      {isOpen && one.recording_available && <Recording id={one.id} />}
      {isOpen && !one.transcript_available && (
        <p class="quiet">There is no transcript: the call was not answered or goes on.</p>
      )}
    </details>
  )
}

function Transcript({ id }: { id: string }) {
  const query = scope.value
  const { data, error } = useResource(
    `transcript ${id}`,
    async (signal) => {
      const reply = await call('getTranscript', { params: { id }, query }, signal)
      return typeof reply === 'string' ? null : reply.data
    },
    false,
  )
  if (error) return <p class="problem">{error.message}</p>
  return (
    <dl class="transcript">
      {data?.lines.map(({ speaker, name, text, at }, i) => (
        <div key={`${at} ${i}`} class={speaker}>
          <dt>{name}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  )
}

/** The recording is fetched when it is asked for, because its link is valid for a short simulated time only. */
function Recording({ id }: { id: string }) {
  const [source, setSource] = useState<string | null>(null)
  useEffect(() => () => (source === null ? undefined : URL.revokeObjectURL(source)), [source])
  const load = async () => {
    try {
      const { data } = await call('getRecording', { params: { id }, query: scope.peek() })
      const link = new URL(data.url)
      const path = link.pathname.slice(Math.max(0, link.pathname.indexOf('/storage/')))
      const file = await (await send(base + path + link.search)).blob()
      setSource(URL.createObjectURL(file))
    } catch (error) {
      if (!(error instanceof RequestError)) throw error
      notice.value = { text: error.message, code: error.code }
    }
  }
  if (source === null) {
    return (
      <button type="button" class="small" onClick={() => void load()}>
        Load recording
      </button>
    )
  }
  return <audio controls src={source} aria-label="Recording" />
}
