/** Files as other programs export them: their headers, encodings and separators. */
import { describe, expect, it } from 'vitest'
import { ImportAt, numberOf } from '../../support/programs/import-at.js'

const [one, two, three, four] = [numberOf(1), numberOf(2), numberOf(3), numberOf(4)]
const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')

const exports: [what: string, content: string | Buffer, leads: object[]][] = [
  [
    'HubSpot',
    `Record ID,First Name,Last Name,Email,Phone Number,Mobile Phone Number\n1,Ann,Lee,a@x.test,${one},\n2,Bo,Cy,,${two},${three}\n`,
    [
      { name: 'Ann Lee', email: 'a@x.test', phone: one, external_id: '1' },
      { name: 'Bo Cy', email: null, phone: three, external_id: '2' },
    ],
  ],
  [
    'Salesforce',
    `"First Name","Last Name","Account Name","Phone","Mobile","Email"\n"Ann","Lee","Acme","${one}","",""\n"","Cy","Acme","","${two}",""\n`,
    [
      { name: 'Ann Lee', phone: one },
      { name: 'Cy', phone: two },
    ],
  ],
  [
    'Google Contacts',
    `First Name,Middle Name,Last Name,E-mail 1 - Label,E-mail 1 - Value,Phone 1 - Label,Phone 1 - Value,Phone 2 - Value\nAnn,,Lee,Home,a@x.test,Mobile,${one} ::: ${three},${four}\n`,
    [{ name: 'Ann Lee', email: 'a@x.test', phone: one }],
  ],
  [
    'Outlook',
    `First Name,Last Name,E-mail Address,Primary Phone,Home Phone,Mobile Phone,Business Phone\nAnn,Lee,a@x.test,${two},${three},${one},${four}\nBo,,,,${two},,${four}\nCy,,,,,,${four}\n`,
    [
      { name: 'Ann Lee', phone: one },
      { name: 'Bo', phone: two },
      { name: 'Cy', phone: four },
    ],
  ],
  [
    'Zoho',
    `Lead Id,First Name,Last Name,Full Name,Phone,Mobile\nzcrm_1,Ann,Lee,Ann Lee-Park,${one},\n`,
    [{ name: 'Ann Lee-Park', phone: one, external_id: 'zcrm_1' }],
  ],
  [
    'Excel as Unicode text',
    utf16(`First Name\tLast Name\tPhone\r\nZoë\tLee\t${one}\r\n`),
    [{ name: 'Zoë Lee', phone: one }],
  ],
  [
    'Excel with a separator line and Windows-1252',
    Buffer.from(`sep=;\r\nName;Phone\r\nJos\u00e9;${one}\r\n`, 'latin1'),
    [{ name: 'José', phone: one }],
  ],
  [
    'Salesforce with contacts of companies',
    `Contact ID,Lead ID,Name,Account Name,Contact Name,Phone\n003,00Q,Acme Inc,Acme Inc,Ann Lee,${one}\n`,
    [{ name: 'Ann Lee', phone: one, external_id: '00Q' }],
  ],
  [
    'a list with a company as the name',
    `Name,First Name,Last Name,Company,Phone,Record ID,External ID\nAcme Inc,Ann,Lee,Acme,${one},7,crm-1\n`,
    [{ name: 'Ann Lee', phone: one, external_id: 'crm-1' }],
  ],
  ['a list with a company only', `Company,Account Name,Phone\nAcme,Acme Inc,${one}\n`, [{ name: null, phone: one }]],
  ['a spreadsheet in German', `Vorname;Nachname;Telefon\nAnn;Lee;${one}\n`, [{ name: 'Ann Lee', phone: one }]],
  [
    'rows without their empty end',
    `Name,Phone,Town,Notes\nAnn,${one}\nBo,${two},Albany\n`,
    [
      { name: 'Ann', phone: one },
      { name: 'Bo', phone: two },
    ],
  ],
]

describe('leads import: an export of', () => {
  it.each(exports)('%s is read', async (_what, content, leads) => {
    const at = await ImportAt.start()
    const result = await at.imported(at.file('people.csv', content))
    expect(result).toMatchObject({ added: leads.length, refused: 0 })
    expect(await at.taken()).toMatchObject(leads)
  })

  it('HubSpot gives leads that are found by the id of their record', async () => {
    const at = await ImportAt.start()
    await at.imported(at.file('people.csv', `Record ID,First Name,Phone Number\n10151,Ann,${one}\n`))
    expect(await at.at.data('leads', 'get', '10151')).toMatchObject({ phone: one, external_id: '10151' })
  })

  it('HubSpot without the id of the record if --map leaves the column out', async () => {
    const at = await ImportAt.start()
    await at.imported(at.file('people.csv', `Record ID,Phone Number\n10151,${one}\n`), ['--map', 'Record ID='])
    expect(await at.taken()).toMatchObject([{ phone: one, external_id: null }])
  })

  it('10,000 rows with duplicates is checked whole in a dry run', async () => {
    const at = await ImportAt.start()
    const rows = Array.from({ length: 10_000 }, (_, n) => `Ann,Lee ${n},${numberOf(n % 9_000)}`)
    const file = at.file('people.csv', `First Name,Last Name,Mobile\n${rows.join('\n')}\n`)
    expect(await at.imported(file, ['--dry-run'])).toMatchObject({ added: 0, would_add: 10_000, refused: 0 })
  })

  it('Salesforce with people who must not be called is read with a warning', async () => {
    const at = await ImportAt.start()
    const rows = [`Ann,${one},0`, `Bo,${two},1`, `Cy,${three},TRUE`]
    const file = at.file('people.csv', `Name,Phone,Do Not Call\n${rows.join('\n')}\n`)
    const { stderr } = await at.run(file, ['--dry-run'])
    expect(stderr).toContain('Warning: 2 rows are marked in the column Do Not Call (lines 3, 4)')
    expect(stderr).toContain('svc dnc add <phone>')
    const clean = at.file('clean.csv', `Name,Phone,Do Not Call\nAnn,${one},0\n`)
    expect((await at.run(clean, ['--dry-run'])).stderr).not.toContain('Warning')
  })
})
