/** Mutants that check requests wrongly: keys, order and bodies. */
import { jsonOf, type Answer } from './mutating-proxy.js'
import { aLead, answering, asking, every, replying, sending, withJson, type Body, type Mutant } from './mutant.js'

export const gate: Mutant[] = [
  {
    name: 'a wrong secret of a known key is accepted',
    rule: 'K1',
    groups: ['gate'],
    make: () => ({
      request: (asked, next, to) => {
        const isBasic = /^basic [\w+/=-]+$/i.test(asked.headers['authorization'] ?? '')
        return next(isBasic ? { ...asked, headers: { ...asked.headers, authorization: to.authorization } } : asked)
      },
    }),
  },
  {
    name: 'a wrong key is answered with 403',
    rule: 'K1',
    groups: ['gate'],
    make: () =>
      replying(every, (body, answer) => {
        if (answer.status !== 401) return
        answer.status = 403
        Object.assign(body.error, {
          code: 'permission_denied',
          type: 'permission_error',
          missing_permission: 'leads:read',
        })
      }),
  },
  {
    name: 'a malformed body is refused before the key is checked',
    rule: 'K7',
    groups: ['gate'],
    make: () =>
      answering(/^(POST|PATCH)/, async (answer, asked, next, to) => {
        if (answer.status !== 401) return undefined
        // A key with a space is refused after the body, so nothing is done.
        const authorized = { ...asked.headers, authorization: to.authorization, 'idempotency-key': 'a b' }
        const again = await next({ ...asked, headers: authorized })
        return jsonOf<Body>(again.body)?.error['param'] === 'Idempotency-Key' ? undefined : again
      }),
  },
  {
    name: 'a key may read but not change leads, although it has the permission',
    rule: 'A7',
    groups: ['leads'],
    make: () =>
      answering(/^PATCH \/leads/, (answer) => {
        if (answer.status !== 200) return undefined
        const type = 'permission_error'
        const refusal = {
          type,
          code: 'permission_denied',
          message: 'No.',
          param: null,
          missing_permission: 'leads:write',
        }
        return withJson(answer, { error: { ...refusal, request_id: answer.headers['request-id'] } }, 403)
      }),
  },
]

export const parsing: Mutant[] = [
  {
    name: 'unknown fields of a body are ignored',
    rule: 'C2',
    groups: ['parsing'],
    make: () =>
      answering(/^(POST|PATCH)/, async (answer, asked, next) => {
        let [last, body] = [answer, jsonOf(asked.body)]
        for (let param = unknownField(last); body && param !== null; param = unknownField(last)) {
          const { [param]: _unknown, ...rest } = body
          if (Object.keys(rest).length === Object.keys(body).length) break
          body = rest
          last = await next({ ...asked, body: Buffer.from(JSON.stringify(rest)) })
        }
        return last
      }),
  },
  {
    name: 'the last of two equal keys of a body counts',
    rule: 'C2',
    groups: ['parsing'],
    make: () => sending(/^(POST|PATCH)/, () => {}),
  },
  {
    name: 'a body over 1 MB is accepted',
    rule: 'C2',
    groups: ['parsing'],
    make: () =>
      asking(/^POST/, (asked) => {
        if (asked.body.length <= 1_048_576) return
        const text = asked.body.toString().replaceAll(/\s{100,}/g, ' ')
        asked.body = Buffer.from(text.replaceAll(/"([^"]{100})[^"]{1000,}"/g, '"$1"'))
      }),
  },
  {
    name: 'text is taken for a boolean',
    rule: 'C2',
    groups: ['parsing', 'leads'],
    make: () =>
      sending(aLead, (body) => {
        for (const name of ['dry_run', 'call_now']) {
          if (typeof body[name] === 'string' || typeof body[name] === 'number') body[name] = Boolean(body[name])
        }
      }),
  },
  {
    name: 'a body of any Content-Type is read as JSON',
    rule: 'C2',
    groups: ['parsing'],
    make: () => asking(/^(POST|PATCH)/, (asked) => (asked.headers['content-type'] = 'application/json')),
  },
]

function unknownField(answer: Answer): string | null {
  const error = jsonOf<Body>(answer.body)?.error
  const isUnknown = answer.status === 400 && /there is no such field/.test(String(error?.['message']))
  return isUnknown ? String(error?.['param']) : null
}
