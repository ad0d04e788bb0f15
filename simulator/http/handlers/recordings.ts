/** Serves links to call recordings (rule S7). */
import { recordingLinkMinutes } from '../../../src/contract/limits.js'
import { ApiError } from '../../../src/contract/errors/error-codes.js'
import { minutes, toIso } from '../../kernel/instant.js'
import type { SignedLinks } from '../signed-links.js'
import { hasRecording } from '../../model/serialize/calls.js'
import type { Call } from '../../model/call.js'
import type { Principal } from '../principal.js'
import { replyOk, type Handlers } from '../handler.js'
import { recordingPath } from '../signed-files.js'

export const recordingHandlers = (links: SignedLinks): Pick<Handlers, 'getRecording'> => ({
  getRecording: (caller, { params }) => {
    const { tenant, live } = caller
    const call = caller.call(params.id)
    if (!hasRecording(tenant, call)) throw new ApiError('recording_not_available', refuseRecording(caller, call))
    const { url, expires } = links.make(recordingPath(tenant, call), minutes(recordingLinkMinutes))
    return replyOk({ url, expires_at: toIso(expires), livemode: live })
  },
})

function refuseRecording({ tenant }: Principal, { answered, ended }: Call): string {
  if (!tenant.record.recording) return 'Recording is off for the organization.'
  if (ended === null) return 'The call has not ended; its recording is there once it has.'
  return answered === null ? 'The call was not answered.' : 'The recording is past its retention.'
}
