/** Says after an import where the refused rows are, and how many of them can be corrected. */

/** Codes of rows with nothing to correct: the service has the number already, or must not call it. */
export const faultless = ['duplicate_lead', 'duplicate_dnc_entry', 'on_dnc_list']

interface Files {
  failedFile: string
  /** The imported file. */
  file: string
}

/** After an import. `fine` of the refused rows have nothing to correct. */
export function describeFailedFile(refused: number, fine: number, { failedFile }: Files): string {
  const [rows, are, them] = refused === 1 ? ['row', 'is', 'it'] : ['rows', 'are', 'them']
  const place = `The refused ${rows} ${are} in ${failedFile}`
  if (fine === 0) return `${place}: correct ${them} there and import that file.`
  if (fine === refused) return `${place}. There is nothing to correct in ${them}.`
  return `${place}: correct ${refused - fine} of them there and import that file. ${describeFine(fine)}`
}

/** After a dry run. */
export function describeNotAdded(refused: number, fine: number, { failedFile, file }: Files): string {
  const [rows, are, them, reasons] =
    refused === 1 ? ['row', 'is', 'it', 'the reason'] : ['rows', 'are', 'them', 'the reasons']
  const place = `The ${rows} that would not be added ${are} listed in ${failedFile}, with ${reasons}`
  if (fine === 0) return `${place}: correct ${them} in ${file} before you import it.`
  if (fine === refused) return `${place}. There is nothing to correct in ${them}.`
  return `${place}: correct ${refused - fine} of them in ${file} before you import it. ${describeFine(fine)}`
}

const describeFine = (fine: number): string =>
  `There is nothing to correct in the other ${fine === 1 ? 'one' : fine.toLocaleString('en-US')}.`
