/** Writes the transcript of a call from its events: the AI, the lead, and the person who took over. */
import type { Outcome } from '../../src/contract/base/outcomes.js'
import { between, instant, type Instant } from '../kernel/instant.js'
import type { Call } from '../model/call.js'
import type { Tenant, TranscriptLine } from '../model/world.js'
import { findScript } from './call-script.js'

type Line = readonly [TranscriptLine['speaker'], string]

/** The lines of each part of a call. `{lead}`, `{company}` and `{agent}` are replaced by names. */
const opening: readonly Line[] = [
  ['lead', 'Hello?'],
  [
    'ai',
    'Hi {lead}, this is the virtual assistant of {company}, on a recorded line. You asked us to call. Is this a good time?',
  ],
]

const closings: Readonly<Record<string, readonly Line[]>> = {
  interested: [
    ['ai', 'Great. What would you like to get done?'],
    ['lead', 'I have been looking at offers for a while. What would it cost, and how soon could you start?'],
  ],
  not_interested: [
    ['lead', 'No, thank you, I am not interested any more.'],
    ['ai', 'I understand. Thanks for telling me, and have a good day.'],
  ],
  callback: [
    ['lead', 'I cannot talk now. Can you call me later?'],
    ['ai', 'Of course. I have booked a time for you; we will call you then.'],
  ],
  dnc: [
    ['lead', 'Please do not call this number again.'],
    ['ai', 'I am sorry to have bothered you. Your number is on our Do Not Call list now. Goodbye.'],
  ],
  wrong_number: [
    ['lead', 'I think you have the wrong number.'],
    ['ai', 'Excuse me, I will take the number out. Goodbye.'],
  ],
  hung_up: [['lead', 'No.']],
  screened: [
    ['lead', 'Who is calling, and what is it about? I will see whether they are there.'],
    ['ai', '{company}, about an inquiry. I can try again another time.'],
  ],
  language_barrier: [
    ['lead', 'Sorry, no English.'],
    ['ai', 'Thank you, I will pass this on. Goodbye.'],
  ],
  not_qualified: [
    ['lead', 'I rent my place, so I could not decide that.'],
    ['ai', 'Then this is not a fit for now. Thank you for your time.'],
  ],
}

const afterInterest: readonly Line[] = [
  ['ai', 'Those are good questions for one of our people. May I connect you right now?'],
  ['lead', 'Yes, please do.'],
  ['ai', 'One moment, I am connecting you.'],
]

const afterHandover: readonly Line[] = [
  ['agent', 'Hi {lead}, {agent} speaking. I have your details here; let us go through what you need.'],
  ['lead', 'Good. I would like a quote this week.'],
  ['agent', 'I can do that. I will send it today, and we will talk on Thursday to settle the details.'],
  ['lead', 'That works. Thank you.'],
  ['agent', 'Thank you, {lead}. Goodbye.'],
]

const message: readonly Line[] = [
  ['lead', 'You have reached my voicemail. Please leave a message after the tone.'],
  [
    'ai',
    'Hello {lead}, this is the virtual assistant of {company}. We are calling about your inquiry and will try again. Goodbye.',
  ],
]

/** The lines of an ended or ongoing call, each with its time. None is after the end. */
export function writeTranscript(tenant: Tenant, call: Call): TranscriptLine[] {
  const { answered } = call
  if (answered === null) return []
  const until = call.ended ?? tenant.world.now
  const { lines: told, outcome } = findScript(tenant, call)
  // Scripted lines are used word for word.
  if (told)
    return spreadOverTime(
      told.map(({ speaker, text }) => [speaker, text] as const),
      answered,
      until,
    )
  const put = speakerNames(tenant, call)
  const parts: [readonly Line[], Instant, Instant][] = call.machine
    ? [[message, answered, until]]
    : partsOf(call, outcome, answered, until)
  return parts
    .flatMap(([lines, from, to]) => spreadOverTime(lines, from, to))
    .map((line) => ({ ...line, text: put(line.text) }))
}

/** The parts of a conversation, by the outcome at its end. A later correction does not change what was said. */
function partsOf(
  { interested_at: interested, handed_over_at: handedOver }: Call,
  outcome: Outcome,
  answered: Instant,
  until: Instant,
): [readonly Line[], Instant, Instant][] {
  const said = closings[interested === null ? outcome : 'interested'] ?? []
  const beginning = [...opening, ...said]
  if (interested === null) return [[beginning, answered, until]]
  if (handedOver === null)
    return [
      [beginning, answered, interested],
      [afterInterest, interested, until],
    ]
  // If a person took over before the lead showed interest, the transcript does not mention a transfer.
  if (handedOver < interested)
    return [
      [beginning, answered, handedOver],
      [afterHandover, handedOver, until],
    ]
  return [
    [beginning, answered, interested],
    [afterInterest, interested, handedOver],
    [afterHandover, handedOver, until],
  ]
}

/** Spreads lines over a time span, in proportion to their length. */
function spreadOverTime(lines: readonly Line[], from: Instant, to: Instant): TranscriptLine[] {
  const weight = (text: string) => text.length + 20
  const total = lines.reduce((sum, [, text]) => sum + weight(text), 0)
  let before = 0
  return lines.map(([speaker, text]) => {
    const at = instant(Math.floor(from + (between(from, to) * before) / total))
    before += weight(text)
    return { speaker, text, at }
  })
}

function speakerNames(tenant: Tenant, call: Call): (text: string) => string {
  const lead = call.lead === null ? null : tenant.leads.get(call.lead).name
  const agent = tenant.members.find(({ n }) => n === call.handler)?.name
  const company = tenant.record.name
  return (text) =>
    text
      .replaceAll(/,? \{lead\}/g, (place) => (lead ? place.replace('{lead}', () => lead.split(' ')[0] ?? '') : ''))
      .replaceAll('{company}', () => company)
      .replaceAll('{agent}', () => agent ?? 'your agent')
}
