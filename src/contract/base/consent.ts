/** Proof that a lead agreed to be called, in requests and in replies (rule D7). */
import * as z from 'zod'
import { consentSourceLength, consentTextLength } from '../limits.js'
import { DateTimeInput } from './date-time.js'

export const Consent = z
  .object({
    source: z.string(),
    agreed_at: DateTimeInput,
    text: z.string().optional(),
    url: z.url().optional(),
    ip: z.string().optional(),
  })
  .meta({ id: 'Consent', description: 'Proof that the lead agreed to be called.' })
export type Consent = z.output<typeof Consent>

export const NewConsent = z
  .strictObject({
    source: z
      .string()
      .min(1)
      .max(consentSourceLength)
      .meta({ examples: ['web_form', 'crm', 'purchased_list'] }),
    agreed_at: DateTimeInput,
    text: z.string().max(consentTextLength).optional().meta({ description: 'The words agreed to.' }),
    url: z.url().optional().meta({ description: 'The page agreed on.' }),
    ip: z.string().optional().meta({ description: 'The address the lead had then.' }),
  })
  .refine((consent) => Boolean(consent.text) || consent.url !== undefined, {
    path: ['text'],
    error: 'send the text agreed to, the url of the page, or both',
  })
  .meta({
    id: 'NewConsent',
    description: 'Proof that the lead agreed to be called; text, url or both.',
    anyOf: [
      { title: 'ConsentByText', required: ['text'], properties: { text: { minLength: 1 } } },
      { title: 'ConsentByUrl', required: ['url'] },
    ],
  })
export type NewConsent = z.output<typeof NewConsent>
