/** An import of leads from its columns to its result. A person at a terminal can correct the columns before it is sent. */
import { journalName } from '../journal.js'
import { checkConsentFlags } from '../consent-parts.js'
import { hasConsentColumn, leadTarget } from '../lead-target.js'
import { identityOf } from '../review/earlier-run.js'
import { isFailedFile, runImport } from '../run-import.js'
import { SentPeople } from '../sent-people.js'
import type { ImportSource } from '../source/source.js'
import { ConsentQuestions } from './consent-questions.js'
import type { LeadImport } from './lead-import.js'
import { LeadColumns } from './lead-columns.js'
import { reviewLeads } from './lead-review.js'
import { RowsLeftOut } from './rows-left-out.js'

export async function importLeads(given: LeadImport, all: ImportSource): Promise<void> {
  const { client, campaign, ui, flags } = given
  const columns = new LeadColumns(given, all)
  const leftOut = new RowsLeftOut(given, all)
  const consents = new ConsentQuestions(given)
  const people = new SentPeople(all.folder, [...ui.identity, campaign])
  for (;;) {
    const matching = await columns.match()
    const { fields } = matching
    // A person sees it in the preview, and can correct the columns.
    if (!given.isAsked) checkConsentFlags(given.consent, hasConsentColumn(fields))
    const parts = { client, campaign, fields, dryRun: flags['dry-run'], rate: flags.rate }
    const targetWith = (consent: LeadImport['consent']) => leadTarget({ ...parts, consent })
    const unmarked = await leftOut.withoutMarked(targetWith(given.consent), fields)
    const target = await consents.complete(unmarked, fields, targetWith)
    const refused = await leftOut.onlyRefused(unmarked, target, people)
    const { source, lines } = refused ?? (await leftOut.withoutAdded(unmarked, target, people))
    // All rows of such a file were refused. With the keys of the first file, they would get its answers again.
    const salt = [...(isFailedFile(all.table.columns) ? ['failed'] : []), ...(refused ? [refused.salt] : [])].join(' ')
    const sent = await reviewLeads(given, { source, target: { ...target, salt }, fields, people })
    if (sent !== undefined) {
      ui.addAnswer(columns.answers)
      const isRecorded = !sent.isDryRun && sent.isLocal !== true
      const name = journalName(identityOf(source, sent, ui))
      return runImport(source, isRecorded ? people.recordSent(sent, name, lines) : sent, ui)
    }
    await columns.correct(matching)
  }
}
