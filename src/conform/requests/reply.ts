/** A reply of the deployment, read without trust: its parts may be missing or of any type. */
import { parseJson } from '../../client/json.js'
import type { Recorded } from './recorded.js'

export class Reply {
  readonly body: unknown

  constructor(readonly exchange: Recorded) {
    this.body = parseJson(exchange.response.text)
  }

  get status(): number {
    return this.exchange.status
  }

  get headers(): Readonly<Record<string, string>> {
    return this.exchange.response.headers
  }

  /** The error code; empty for another body. */
  get code(): string {
    const { code } = this.error
    return typeof code === 'string' ? code : ''
  }

  /** The fields of the error; none for another body. */
  get error(): Readonly<Record<string, unknown>> {
    return isObject(this.body) && isObject(this.body['error']) ? this.body['error'] : {}
  }

  get data(): unknown {
    return isObject(this.body) ? this.body['data'] : undefined
  }

  get meta(): Readonly<Record<string, unknown>> {
    return isObject(this.body) && isObject(this.body['meta']) ? this.body['meta'] : {}
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
