/** Sentences about the Do Not Call list. Test and live numbers are on separate lists, so a test key names the test one. */
import type { Settings } from '../../config/settings.js'

export interface DncSentences {
  added: (phone: string) => string
  removed: (phone: string) => string
  checked: (phone: string, isListed: boolean) => string
  askToAdd: (phone: string) => string
  /** `numbers` is an amount, `host` the address of the service. */
  askToImport: (numbers: string, host: string, isOne: boolean) => string
  askToRemove: (what: string, isOne: boolean) => string
  optedOut: (who: string, phone: string) => string
}

const live: DncSentences = {
  added: (phone) => `${phone} is on the Do Not Call list now: no campaign calls it.`,
  removed: (phone) => `${phone} is off the Do Not Call list: campaigns can call it again.`,
  checked: (phone, isListed) =>
    isListed
      ? `${phone} is on the Do Not Call list: no campaign calls it.`
      : `${phone} is not on the Do Not Call list.`,
  askToAdd: (phone) => `Block ${phone}, so that no campaign calls it?`,
  askToImport: (numbers, host, isOne) =>
    `Put ${numbers} on the Do Not Call list at ${host}, so that no campaign calls ${isOne ? 'it' : 'them'}?`,
  askToRemove: (what, isOne) =>
    `Take ${what} off the Do Not Call list, so that ${isOne ? 'the number' : 'they'} can be called again?`,
  optedOut: (who, phone) => `${who} will not be called again, by any campaign: ${phone} is on the Do Not Call list.`,
}

const test: DncSentences = {
  added: (phone) => `${phone} is on the test Do Not Call list now: it affects test calls only.`,
  removed: (phone) => `${phone} is off the test Do Not Call list: it can get test calls again.`,
  checked: (phone, isListed) =>
    isListed
      ? `${phone} is on the test Do Not Call list: it affects test calls only.`
      : `${phone} is not on the test Do Not Call list. The live list is another one.`,
  askToAdd: (phone) => `Block ${phone} in test calls? Live calls have another list.`,
  askToImport: (numbers, host) =>
    `Put ${numbers} on the test Do Not Call list at ${host} (live calls have another list)?`,
  askToRemove: (what, isOne) =>
    `Take ${what} off the test Do Not Call list, so that ${isOne ? 'it' : 'they'} can get test calls again?`,
  optedOut: (who, phone) =>
    `${who} gets no more test calls: ${phone} is on the test Do Not Call list. Live calls have another one.`,
}

export const dncSentences = (mode: Settings['mode']): DncSentences => (mode === 'test' ? test : live)
