/** Which columns and values say that a person must not be called: "Do Not Call: yes", "OK to call: no", "Status: DNC". */

/**
 * What a column says about its people by its name: `mark` if "yes" or a date means that they must not be called, `permission` if
 * "no" means that.
 */
export type ColumnSense = 'mark' | 'permission'

/** Headers are compared in lower case and with letters only. */
const lettersOf = (text: string): string => text.toLowerCase().replace(/[^\p{L}]/gu, '')

const call = '(phone)?(call|phone|contact|dial)(s|ed|ing)?'
const channel = '(telephone|phone|voice|call|calls|calling|phonecalls?)'
const allowed = '(ok|okay|allowed|allow|permitted|permission|permissions|consent|consents|consented)'
const verb =
  '(can|may|ok|okay|allow|allows|allowed|permitted|permission|consent|consents|consented|agreed|agrees|accepts?)'

const markHeader = new RegExp(
  `^(is|has|on|the|marked)*(` +
    `(donot|dont)${call}|dnc|no${call}|(cannot|cant|mustnot|maynot)(be)?${call}|never(call|phone|contact|dial)|` +
    `not${allowed}(to|for)*(be)?${call}|` +
    `no(permission|consent)(to|for)?${call}|${channel}?opt(s|ed)?out(of)?(the)?${channel}?|unsubscribed?(from)?${channel}?|` +
    `(black|block)list(ed)?|suppress(ed|ion)` +
    `)(flag|status|list|listed|registry|date|on|at|since|phone|calls?)*$`,
)
const permissionHeader = new RegExp(
  `^(is|has|the)*(` +
    `${verb}(to|for|with|we|i|us|be)*${call}(me|him|her|them)?|${channel}(is|are)?${allowed}|contact${allowed}|callable|` +
    `${channel}?opt(ed)?in(to)?${channel}?` +
    `)(flag|status|given|granted)?$`,
)
/** Who wants no e-mail may be called. "No. Calls" is a number of calls. */
const otherMeaning = /e-?mail|newsletter|\bfax\b|\bno\./i

/** Undefined for a column whose name says nothing about calls. */
export function senseOf(header: string): ColumnSense | undefined {
  const letters = lettersOf(header)
  if (otherMeaning.test(header)) return undefined
  if (markHeader.test(letters)) return 'mark'
  return permissionHeader.test(letters) ? 'permission' : undefined
}

const yes = /^(true|yes|y|1|x|checked|wahr|ja|vrai|oui|s[ií]|✓|✔|☑)$/i
/** "Yes, asked in March" says yes. */
const yesWithMore = /^(true|yes|checked)[,;:(\s-]/i
const no = /^(false|no|n|0|unchecked|falsch|nein|faux|non|never)$/i
const refused = /^(not (ok|okay|allowed|permitted|given)|denied|declined|refused|revoked|withdrawn)$/i
/** The day on which a person opted out. */
const date =
  /^(\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.](\d{4}|\d\d)(?!\d)|(\d{1,2}[ -])?(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?[ -]\d)/i

/** What a value says in a column of this sense; `unclear` if it is another word. */
export function readFlag(sense: ColumnSense, value: string): 'call' | 'never' | 'empty' | 'unclear' {
  const text = value.trim()
  if (text === '') return 'empty'
  const [isYes, isNo] = [yes.test(text) || yesWithMore.test(text), no.test(text)]
  if (sense === 'permission') return isYes ? 'call' : isNo || refused.test(text) ? 'never' : 'unclear'
  return isYes || date.test(text) ? 'never' : isNo ? 'call' : 'unclear'
}

/** Words of a value in lower case and with letters only, such as a lead status of "Do Not Call". */
const markWords = new RegExp(
  `^(on)?(the)?(` +
    `(please)?(donot|dont|never)(call|phone|contact)(me|us|him|her|them)?(again|anymore|ever)?|` +
    `(dnc|donotcall|donotcontact)(list|listed|request|requested)?|opt(ed)?out(of)?(phone)?(calls?)?|unsubscribed|` +
    `no(phone)?callsplease|(stop|nomore)(phone)?call(s|ing)?(me|us)?|(black|block)listed)$`,
)
/** A quick test: every mark has one of these words. */
const anyMarkWord = /call|contact|phone|dnc|opt|subscribed|listed/i
/** Between the parts of a value: "DNC; hot", "Unqualified - Do Not Call". */
const partEnd = /[;|,/()\n]|\s[-–—]+\s/
const opposite = /^(no|false|n|0)$/i
const longestValue = 200

/** True for a value that says by itself that the person must not be called, as a whole or in one of its parts. */
export function isMarkValue(value: string): boolean {
  if (value.length > longestValue || !anyMarkWord.test(value)) return false
  const parts = value.split(partEnd)
  if (!parts.some((part) => markWords.test(lettersOf(part)))) return false
  // "DNC: no" says the opposite.
  return !parts.some((part) => opposite.test(part.trim()))
}

/** True for a column whose values may say so by themselves. */
export const mayHaveMarkValues = (header: string): boolean => !otherMeaning.test(header)
