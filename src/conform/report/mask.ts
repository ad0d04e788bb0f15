/** Masks secrets and personal data in what is shown of requests and replies. */
import { maskSecrets } from '../../output/mask.js'
import { maskPersonalData } from '../../phone/mask.js'
import type { Recorded } from '../requests/recorded.js'
import type { ShownRequest, ShownResponse } from './result.js'

/** Longer bodies are cut. */
const shownLength = 2_000

export class Masks {
  /** `secrets` may grow while a run learns new ones. */
  constructor(readonly secrets: Set<string>) {}

  text(text: string): string {
    return maskPersonalData(maskSecrets(text, [...this.secrets]))
  }

  request({ method, path, request }: Recorded): ShownRequest {
    const body = request.body === undefined ? null : this.#body(textOf(request.body))
    return { method, path: this.text(decoded(path)), headers: this.#headers(request.headers), body }
  }

  response({ status, response }: Recorded): ShownResponse {
    return { status, headers: this.#headers(response.headers), body: this.#body(response.text) }
  }

  #headers(headers: Readonly<Record<string, string>>): Record<string, string> {
    return Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [
        name,
        /^authorization$/i.test(name) ? value.replace(/\S+$/, '****') : this.text(value),
      ]),
    )
  }

  /** JSON is masked value by value, so that it stays JSON. */
  #body(text: string): unknown {
    if (text.length > shownLength * 4) return `${this.text(text.slice(0, shownLength))}... (${text.length} characters)`
    try {
      return this.value(JSON.parse(text))
    } catch {
      return this.text(text)
    }
  }

  value(value: unknown): unknown {
    if (typeof value === 'string') return this.text(value.slice(0, shownLength))
    if (Array.isArray(value)) return value.map((one: unknown) => this.value(one))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [this.text(name), this.value(part)]))
  }
}

const textOf = (body: string | Uint8Array): string => (typeof body === 'string' ? body : new TextDecoder().decode(body))

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
