/**
 * Renders the recording of a call: each speaker is a tone with a different pitch, turn by turn, as long as the talk.
 */
import { seconds } from '../kernel/instant.js'
import type { Call } from '../model/call.js'
import type { Tenant, TranscriptLine } from '../model/world.js'
import { samplesIn, samplesPerSecond, wavBytes, writeWavPieces, type Sound } from './wav.js'

/** Frequencies in hertz. */
const pitches: Readonly<Record<TranscriptLine['speaker'], number>> = { ai: 220, lead: 330, agent: 147 }

/** Time to say one letter. The rest of a turn is silence. */
const letterSeconds = 0.065
const syllablesPerSecond = 4
const loudness = 0.4
/** Length of the fade at the start and end of a turn, which prevents clicks. */
const fadeSamples = samplesPerSecond * 0.03

interface Turn {
  pitch: number
  /** Sample numbers. */
  from: number
  to: number
}

export interface Recording {
  bytes: number
  pieces: Generator<Buffer>
}

/**
 * Renders the recording on each request, always with the same bytes. Nothing is stored. Null until an answered call has
 * ended.
 */
export function renderRecording(tenant: Tenant, call: Call): Recording | null {
  const { answered, ended } = call
  if (answered === null || ended === null) return null
  const samples = samplesIn(ended - answered)
  const lines = tenant.world.carrier.transcript(tenant, call)
  const turns = lines.map(({ speaker, text, at }, i): Turn => {
    const next = lines[i + 1]?.at ?? ended
    const spoken = Math.min(next - at, seconds(text.length * letterSeconds))
    return {
      pitch: pitches[speaker],
      from: samplesIn(at - answered),
      to: Math.min(samples, samplesIn(at - answered + spoken)),
    }
  })
  return { bytes: wavBytes(samples), pieces: writeWavPieces(renderVoices(turns), samples) }
}

/** The voices of consecutive turns. Samples must be requested in order. */
function renderVoices(turns: readonly Turn[]): Sound {
  let current = 0
  return (n) => {
    while (n >= (turns[current]?.to ?? Infinity)) current++
    const turn = turns[current]
    return turn && n >= turn.from ? voiceAt(turn, n) : 0
  }
}

/** A tone with its octave, shaped into syllables. */
function voiceAt({ pitch, from, to }: Turn, n: number): number {
  const at = (n - from) / samplesPerSecond
  const fade = Math.min(1, (n - from) / fadeSamples, (to - n) / fadeSamples)
  const syllable = 0.4 + 0.6 * Math.abs(Math.sin(Math.PI * syllablesPerSecond * at))
  const phase = 2 * Math.PI * pitch * at
  return loudness * fade * syllable * (0.75 * Math.sin(phase) + 0.25 * Math.sin(2 * phase))
}
