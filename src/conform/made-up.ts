/** Values that a run makes up: names and phone numbers that nothing else uses. The same run id gives the same values. */
import { createHash } from 'node:crypto'
import { parsePhone } from '../phone/number.js'

export class MadeUp {
  #numbers = 0
  #names = 0

  /** `runId` is short text in lower case. */
  constructor(readonly runId: string) {}

  /** A name that begins with what it is for. */
  name(purpose: string): string {
    return `svc-conform-${this.runId}-${purpose}-${this.#names++}`
  }

  /** A UUID that names nothing. */
  uuid(): string {
    const hex = this.#digest(`uuid/${this.#names++}`).slice(0, 32)
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`
  }

  /** An ordinary number of an area code, New York by default. Such numbers are sent in dry runs and to the DNC list only. */
  phone(areaCode = '646'): string {
    for (;;) {
      const digits = BigInt(`0x${this.#digest(`phone/${this.#numbers++}`).slice(0, 15)}`)
        .toString()
        .slice(-7)
      const phone = `+1${areaCode}${digits}`
      const { kind } = parsePhone(phone)
      if (kind === 'ordinary' || kind === 'toll_free') return phone
    }
  }

  #digest(subject: string): string {
    return createHash('sha256').update(`${this.runId}/${subject}`).digest('hex')
  }
}
