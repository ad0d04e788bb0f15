/** Which column of a file is which field of a lead, and what is sent of a row. */
import { describe, expect, it } from 'vitest'
import { matchColumns } from '../../../src/cli/import/source/columns.js'
import { leadFields, leadOf } from '../../../src/cli/import/lead-target.js'
import { UsageError } from '../../../src/cli/errors/usage-error.js'
import { ImportAt, numberOf } from '../../support/programs/import-at.js'

const match = (columns: readonly string[], maps: readonly string[] = [], fieldsFromRest = false) =>
  matchColumns(columns, { file: 'people.csv', known: leadFields, required: 'phone', maps, fieldsFromRest })

/** The fields of the columns, in order. */
const fieldsOf = (...asked: Parameters<typeof match>) => match(...asked).fields

/** The message of the refusal, and what to do about it. */
function refusal(...asked: Parameters<typeof match>): string {
  try {
    match(...asked)
  } catch (error) {
    if (error instanceof UsageError) return `${error.message} ${error.hint ?? ''}`
  }
  throw new Error('the columns were matched')
}

describe('a column is matched to a field', () => {
  it.each([
    ['phone', 'phone'],
    ['Phone', 'phone'],
    ['External-ID', 'external_id'],
    ['external id', 'external_id'],
    ['CALL NOW', 'call_now'],
    ['consent.agreed_at', 'consent.agreed_at'],
    ['Consent Agreed At', 'consent.agreed_at'],
    ['consent_source', 'consent.source'],
    ['Full Name', 'name'],
    ['E-Mail Address', 'email'],
    ['Mobile', 'phone'],
    ['fields.City', 'fields.City'],
  ])('%s is %s', (column, field) => {
    expect(fieldsOf(field === 'phone' ? [column] : [column, 'phone'])[0]).toBe(field)
  })

  it('by its own name rather than by a common one', () => {
    expect(fieldsOf(['phone', 'Full name', 'name'])).toEqual(['phone', undefined, 'name'])
  })

  it('as the name by what names a person, before a name that may be the company', () => {
    expect(fieldsOf(['phone', 'Contact Name', 'Full Name'])).toEqual(['phone', undefined, 'name'])
    expect(fieldsOf(['phone', 'Name', 'Contact Name'])).toEqual(['phone', undefined, 'name'])
    expect(fieldsOf(['phone', 'Name', 'First Name', 'Last Name'])).toEqual(['phone', undefined, 'name#1', 'name#2'])
    expect(fieldsOf(['phone', 'Name', 'First Name'])).toEqual(['phone', 'name', undefined])
    expect(fieldsOf(['phone', 'Company', 'Account Name'])).toEqual(['phone', undefined, undefined])
  })

  it('as the external id by the id of a CRM, unless there is another one', () => {
    expect(fieldsOf(['phone', 'Record ID', 'Lead Id'])).toEqual(['phone', undefined, 'external_id'])
    expect(fieldsOf(['phone', 'Record ID - Contact', 'CRM ID'])).toEqual(['phone', undefined, 'external_id'])
    expect(fieldsOf(['phone', 'Record ID'], ['Record ID='])).toEqual(['phone', undefined])
  })

  it('by a common name only where one column has such a name', () => {
    const { fields, ignored } = match(['phone', 'E-Mail Address', 'Mail'])
    expect(fields).toEqual(['phone', undefined, undefined])
    expect(ignored.map(({ hint }) => hint)).toEqual(['--map "E-Mail Address=email"', '--map "Mail=email"'])
    expect(refusal(['Mobile', 'MOBILE'])).toBe(
      'Several columns of people.csv could be the phone: Mobile, MOBILE. Say which: --map "Mobile=phone".',
    )
  })

  it('together with others: phones by preference, first and last name as the name', () => {
    const columns = ['Last Name', 'First Name', 'Business Phone', 'Phone', 'Mobile', 'Primary Phone', 'Home Phone']
    expect(fieldsOf(columns)).toEqual(['name#2', 'name#1', 'phone#5', 'phone#2', 'phone#1', 'phone#3', 'phone#4'])
    expect(fieldsOf(['First Name', 'phone', 'Last Name'], ['First Name=name'])).toEqual(['name', 'phone', undefined])
    expect(fieldsOf(['Mobile', 'Phone'], ['Phone=phone'])).toEqual([undefined, 'phone'])
  })

  it('as a part of the name: First and Last together, or as --map says', () => {
    expect(fieldsOf(['Last', 'First', 'phone'])).toEqual(['name#2', 'name#1', 'phone'])
    expect(fieldsOf(['Name', 'First', 'Last', 'phone'])).toEqual([undefined, 'name#1', 'name#2', 'phone'])
    expect(fieldsOf(['First Name', 'Last Name', 'Last', 'phone'])).toEqual(['name#1', 'name#2', undefined, 'phone'])
    // Alone, such a header may be anything.
    expect(fieldsOf(['Last', 'phone'])).toEqual([undefined, 'phone'])
    const maps = ['a=first_name', 'b=last_name']
    expect(fieldsOf(['b', 'Name', 'a', 'phone'], maps)).toEqual(['name#2', undefined, 'name#1', 'phone'])
    expect(fieldsOf(['a', 'Surname', 'phone'], ['a=first_name'])).toEqual(['name#1', 'name#2', 'phone'])
  })

  it('as the phone with others, in the order of --map', () => {
    const columns = ['Mobile', 'Phone', 'Home']
    expect(fieldsOf(columns, ['Home=phone', 'Mobile=phone'])).toEqual(['phone#2', undefined, 'phone'])
    expect(fieldsOf(columns, ['Mobile=phone', 'Home=phone', 'Mobile=phone'])).toEqual(['phone#2', undefined, 'phone'])
  })

  it('as --map says, whatever its name; a name may hold an equals sign', () => {
    expect(
      fieldsOf(['a=b', 'First Name', 'City', 'phone'], ['a=b=phone', 'first name=name', 'City=fields.town']),
    ).toEqual(['phone', 'name', 'fields.town', undefined])
  })

  it.each([
    [['phone', 'Name', 'name'], [], 'Two columns of people.csv are the name: Name, name.'],
    [['phone', 'a', 'b'], ['a=name', 'b=name'], 'Two columns of people.csv are the name: a, b.'],
    [
      ['phone', 'First', 'Last'],
      ['Last=name', 'First=name'],
      'or join them: --map "First=first_name" --map "Last=last_name".',
    ],
    [['phone', 'a', 'b'], ['a=name', 'b=last_name'], 'Two columns of people.csv are the name: a, b.'],
    [['phone', 'a', 'b'], ['a=first_name', 'b=first_name'], 'Two columns of people.csv are the name: a, b.'],
    [['phone', 'First Name'], ['Frist Name=name'], 'has no column "Frist Name" to map. Did you mean "First Name"?'],
    [['phone', 'First Name'], ['Score=name'], 'Its columns are: phone, First Name.'],
    [['phone', 'a'], ['a=nmae'], 'There is no field "nmae" to map to. Did you mean name?'],
    [
      ['phone', 'a'],
      ['a=whatever'],
      'The fields are: phone, name, first_name, last_name, email, address, external_id,',
    ],
    [['phone', 'a'], ['a=fields.'], 'There is no field "fields." to map to.'],
    [['phone', 'a'], ['a'], '--map a is not a pair.'],
    [
      ['phnoe', 'name'],
      [],
      'No column of people.csv is called phone. Its columns are: phnoe, name. Did you mean --map "phnoe=phone"?',
    ],
    [['name', 'city'], [], 'The first line names the columns; say which is the phone: --map "<column>=phone".'],
    [
      ['+16462011000', 'Ann'],
      [],
      'The first row of people.csv looks like a lead, not like the names of the columns: +16462011000.',
    ],
  ])('%j with %j is refused', (columns, maps, says) => expect(refusal(columns, maps)).toContain(says))
})

describe('a column that matches nothing', () => {
  it('is named, with what was probably meant', () => {
    const { ignored } = match(['phone', 'Emial', 'Score', '', '_line', '_code', '_message'])
    expect(ignored).toEqual([
      { column: 'Emial', hint: '--map "Emial=email"' },
      { column: 'Score', hint: undefined },
      { column: 'column 4, which has no name', hint: undefined },
    ])
  })

  it('becomes a custom field of its own name where that was asked for', () => {
    expect(fieldsOf(['phone', 'Score', 'Home Town', '', '_line'], [], true)).toEqual([
      'phone',
      'fields.Score',
      'fields.Home Town',
      undefined,
      undefined,
    ])
    expect(refusal(['phone', 'Score', 'Score'], [], true)).toContain('Two columns of people.csv are the fields.Score')
  })

  it('becomes none where there are more than a lead can have', () => {
    const many = Array.from({ length: 51 }, (_, at) => `column ${at}`)
    expect(refusal(['phone', ...many], [], true)).toContain(
      '51 columns would become custom fields; a lead has 50 at most.',
    )
  })
})

describe('of a row is sent', () => {
  it('what it holds, without the white space around it and without what is empty', () => {
    const fields = ['phone', 'name', 'email', 'fields.City', undefined]
    expect(leadOf([' 212-555-7812 ', 'Ann', '  ', 'Albany', 'x'], fields, {})).toEqual({
      phone: '212-555-7812',
      name: 'Ann',
      fields: { City: 'Albany' },
    })
  })

  it('an empty phone where it has none, for the service to refuse', () => {
    expect(leadOf([''], ['phone'], {})).toEqual({ phone: '' })
  })

  it('a yes or no as such in the words people use, and other words as they are', () => {
    const words = ['true', 'Yes', '1', 'FALSE', 'n', '0', 'perhaps']
    expect(words.map((word) => leadOf([word], ['call_now'], {}).call_now)).toEqual([
      ...[true, true, true, false, false, false],
      'perhaps',
    ])
  })

  it('its own consent, and of the flags what it does not say', () => {
    const flags = { source: 'web_form', agreed_at: '2026-09-01T00:00:00Z', text: 'Yes.' }
    const fields = ['phone', 'consent.agreed_at', 'consent.source']
    expect(leadOf(['1', '2026-09-02T00:00:00Z', ''], fields, flags).consent).toEqual({
      ...flags,
      agreed_at: '2026-09-02T00:00:00Z',
    })
    expect(leadOf(['1'], ['phone'], {}).consent).toBeUndefined()
  })

  it('the value that an export has put behind an apostrophe', () => {
    expect(leadOf(["'+12125557812", "'=1+1", "'Tis", "''"], ['phone', 'name', 'email', 'address'], {})).toEqual({
      phone: '+12125557812',
      name: '=1+1',
      email: "'Tis",
      address: "''",
    })
  })

  it('a custom field whatever its name', () => {
    const { fields } = leadOf(['1', 'x', 'y'], ['phone', 'fields.__proto__', 'fields.a.b'], {})
    expect(Object.entries(fields ?? {})).toEqual([
      ['__proto__', 'x'],
      ['a.b', 'y'],
    ])
  })
})

describe('svc leads import', () => {
  it('names the columns it ignores, and sends them as custom fields with --fields-from-rest', async () => {
    const at = await ImportAt.start()
    const file = at.file('people.csv', `Full Name,Phone,Home Town,Emial\nAnn,${numberOf(1)},Albany,a@x.test\n`)
    const plain = await at.run(file, ['--dry-run'])
    expect(plain).toMatchObject({
      code: 0,
      stderr:
        'Ignored columns: Home Town, Emial (did you mean --map "Emial=email"?). --fields-from-rest sends them as custom fields.\n' +
        '1 lead would be added; nothing was saved.\n',
    })
    const all = await at.run(file, ['--map', 'Emial=email', '--fields-from-rest'])
    expect(all).toMatchObject({ code: 0, stderr: '1 lead added.\n' })
    expect(await at.taken()).toMatchObject([{ name: 'Ann', email: 'a@x.test', fields: { 'Home Town': 'Albany' } }])
  })

  it('says so too at the end of a result for a program', async () => {
    const at = await ImportAt.start()
    const ran = await at.run(at.file('people.csv', `phone,Score\n${numberOf(1)},7\n`), ['--json'])
    expect(JSON.parse(ran.stdout)).toMatchObject({ added: 1 })
    expect(ran.stderr).toMatch(/^Ignored column: Score\./)
  })

  it('exits 2 without a column of numbers, in one document where JSON is asked for', async () => {
    const at = await ImportAt.start()
    const file = at.file('people.csv', `name,Score,phon\nAnn,7,${numberOf(1)}\n`)
    expect(await at.run(file)).toMatchObject({
      code: 2,
      stdout: '',
      stderr:
        'Error: No column of people.csv is called phone. Its columns are: name, Score, phon.\n  Did you mean --map "phon=phone"?\n',
    })
    const { stderr } = await at.run(file, ['--json'])
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'usage' }, exit_code: 2 })
    expect(await at.batches()).toEqual([])
  })

  it('takes the consent of the flags for every row that brings none', async () => {
    const at = await ImportAt.start()
    await at.simulation.changeCampaign({ consent_required: true })
    const own = { source: 'fair', agreed_at: '2026-08-01T00:00:00Z', text: 'I agree.' }
    const file = at.file(
      'people.csv',
      `phone,consent source,consent at,consent text\n${numberOf(1)},${Object.values(own).join(',')}\n${numberOf(2)},,,\n`,
    )
    const flags = [
      '--consent-source',
      'crm',
      '--consent-at',
      '2026-09-01T00:00:00Z',
      '--consent-url',
      'https://x.test/a',
    ]
    expect(await at.imported(file, flags)).toMatchObject({ added: 2, refused: 0 })
    const url = 'https://x.test/a'
    expect((await at.taken()).map(({ consent }) => consent)).toEqual([
      { ...own, url },
      { source: 'crm', agreed_at: '2026-09-01T00:00:00Z', url },
    ])
  })

  it('names an ignored column with phone numbers, and the flag that uses it', async () => {
    const at = await ImportAt.start()
    const file = at.file('people.csv', `Mobile,Phone,Home,Town\n${numberOf(1)},,${numberOf(2)},Rome\n`)
    expect((await at.run(file)).stderr).toContain(
      'The ignored column Home has phone numbers. --map "Home=phone" calls these instead of those of Mobile and Phone; ' +
        '--map "Mobile=phone" --map "Phone=phone" --map "Home=phone" calls them where Mobile and Phone have none.\n',
    )
    expect(await at.run(file, ['--map', 'Home='])).toMatchObject({
      stderr: expect.not.stringContaining('Home') as string,
    })
  })

  it('sends nothing with a consent of the flags that the service would refuse', async () => {
    const at = await ImportAt.start()
    const flags = ['--consent-source', 'crm', '--consent-at', 'yesterday', '--consent-url', 'https://x.test/a']
    const ran = await at.run(at.leads(50), flags)
    const stderr = expect.stringContaining('Error: --consent-at "yesterday" cannot be read') as string
    expect(ran).toMatchObject({ code: 2, stdout: '', stderr })
    expect(await at.batches()).toEqual([])
    expect(at.has('people.failed.csv')).toBe(false)
  })
})
