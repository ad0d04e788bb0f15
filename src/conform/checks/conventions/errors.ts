/** Checks of error messages (rules F1 and F2). */
import { withExtras, type Check } from '../../check.js'
import { expects, refused } from '../../expect.js'
import { dryRun, invalidPhone, premiumPhone } from '../../fixtures/leads.js'

export const errorChecks: readonly Check[] = withExtras(
  [
    {
      rule: 'F2',
      group: 'errors',
      title: 'Messages mask the phone number that was refused',
      needs: ['leads:write'],
      run: async (session) => {
        for (const phone of [premiumPhone, '+12125550150']) {
          const reply = await dryRun(session, { phone })
          const digits = String(reply.error['message']).replaceAll(/\D/g, '')
          expects(
            reply,
            !digits.includes(phone.slice(2, 8)),
            'a message with the last four digits of the number at most',
          )
        }
      },
    },
    {
      rule: 'F2',
      group: 'errors',
      title: 'Messages mask e-mail addresses and numbers of the request',
      needs: ['leads:read'],
      run: async (session) => {
        for (const text of ['ann.alvarez@example.com', '+12125557812']) {
          const reply = await session.get(`/svc-conform/${encodeURIComponent(text)}`)
          refused(reply, 'not_found')
          expects(reply, !reply.exchange.response.text.includes(text), 'a message without it')
        }
      },
    },
    {
      rule: 'F2',
      group: 'errors',
      title: 'A text that is not a phone number is not repeated',
      needs: ['leads:write'],
      run: async (session) => {
        const reply = await dryRun(session, { phone: 'svc secret text' })
        refused(reply, 'invalid_phone')
        expects(reply, !String(reply.error['message']).includes('secret'), 'a message without the text')
      },
    },
    {
      rule: 'F1',
      group: 'errors',
      title: 'An error names the field and the request',
      needs: ['leads:write'],
      run: async (session) => {
        const reply = await dryRun(session, { phone: invalidPhone })
        const { param, request_id, message } = refused(reply, 'invalid_phone')
        expects(
          reply,
          param === 'phone' && request_id === reply.headers['request-id'],
          'param phone, and the Request-Id',
        )
        expects(reply, typeof message === 'string' && message !== '', 'a message')
      },
    },
  ],
  'A text that is not a phone number',
)
