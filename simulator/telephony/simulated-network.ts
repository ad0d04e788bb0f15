/** The simulated telephone network: what the carrier of every world does. */
import type { Carrier } from '../model/world.js'
import { scriptedCalls } from './call-script.js'
import { writeTranscript } from './transcript.js'

export const simulatedNetwork: Carrier = {
  ...scriptedCalls,
  transcript: writeTranscript,
}
