/** Flags for the consent of a lead. */
import * as Flags from '@oclif/core/flags'

export const consentFlags = {
  'consent-source': Flags.string({
    summary: 'Source of the consent, such as web_form or crm',
    helpValue: '<word>',
  }),
  'consent-at': Flags.string({ summary: 'Time of the consent', helpValue: '<date-time>' }),
  'consent-text': Flags.string({ summary: 'Text that the lead agreed to', helpValue: '<text>' }),
  'consent-url': Flags.string({ summary: 'Page where the lead agreed', helpValue: '<url>' }),
  'consent-ip': Flags.string({ summary: 'IP address of the lead at that time', helpValue: '<ip>' }),
}

export type ConsentFlags = { [F in keyof typeof consentFlags]?: string | undefined }

/** Consent to send, or undefined if no consent flag is given. The service reports missing parts. */
export function consentOf(flags: ConsentFlags) {
  const consent = {
    source: flags['consent-source'],
    agreed_at: flags['consent-at'],
    text: flags['consent-text'],
    url: flags['consent-url'],
    ip: flags['consent-ip'],
  }
  return Object.values(consent).every((part) => part === undefined)
    ? undefined
    : (consent as typeof consent & { source: string; agreed_at: string })
}
