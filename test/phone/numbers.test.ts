/** Reading telephone numbers: formats, kinds, and what is hidden of them in messages. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { areaCodeKind, areaCodesOf } from '../../src/phone/area-codes.js'
import { maskPersonalData } from '../../src/phone/mask.js'
import { parsePhone, type NumberKind } from '../../src/phone/number.js'

// rule A3
describe('formats', () => {
  it.each([
    '+12125557812',
    '12125557812',
    '2125557812',
    '(212) 555-7812',
    '(212)555-7812',
    '212.555.7812',
    '212-555-7812',
    '212 555 7812',
    '212/555-7812',
    '1-212-555-7812',
    '1 (212) 555-7812',
    '+1 (212) 555-7812',
    '(+1) 212-555-7812',
    '+1.212.555.7812',
    '  +1 212 555 7812  ',
    '\t2125557812\n',
    '212\u00a0555\u00a07812',
    '212\u2011555\u20137812',
    '\u202a+1 212-555-7812\u202c',
    '011 1 212 555 7812',
    '001 212 555 7812',
  ])('%j is read as +12125557812', (text) => {
    expect(parsePhone(text)).toEqual({ kind: 'ordinary', e164: '+12125557812' })
  })

  it.each([
    '',
    '   ',
    '+',
    'phone',
    '5557812',
    '212555781',
    '21255578120',
    '+1212555781',
    '+121255578123',
    '22125557812',
    '++12125557812',
    '1+2125557812',
    '212+5557812',
    'tel:+12125557812',
    'call 212-555-7812',
    '212-555-7812 x123',
    '212-555-7812 ext. 4',
    '212-555-7812;ext=4',
    '212-555-7812, 212-555-7813',
    '2125557812.0',
    '12125557812.0',
    '1-800-FLOWERS',
    '212-KL5-7812',
    '+1 212 555 7812 #',
    '２１２５５５７８１２',
    '00',
    '011',
    '000000000000',
    '+0012125557812',
    '442071838750',
    '+44 20 7183',
    '+4420718387501234567890',
    '+999 12345678',
  ])('%j is no number', (text) => {
    expect(parsePhone(text)).toEqual({ kind: 'invalid' })
  })

  it('reads any area code in service the same way in every common format', () => {
    const digits = fc.tuple(
      fc.constantFrom(...areaCodesOf('geographic')),
      fc.integer({ min: 200, max: 999 }).filter((nxx) => nxx % 100 !== 11 && nxx !== 555 && nxx !== 976),
      fc.integer({ min: 0, max: 9999 }).map((line) => String(line).padStart(4, '0')),
    )
    fc.assert(
      fc.property(digits, ([area, nxx, line]) => {
        const e164 = `+1${area}${nxx}${line}`
        const written = [
          e164,
          `(${area}) ${nxx}-${line}`,
          `1-${area}-${nxx}-${line}`,
          `${area}.${nxx}.${line}`,
          `(${area})${nxx}${line}`,
        ]
        for (const text of written) expect(parsePhone(text)).toEqual({ kind: 'ordinary', e164 })
      }),
    )
  })

  it('never throws, and gives a plain E.164 number or none', () => {
    const keys = fc.string({ unit: fc.constantFrom(...'0123456789+-() .x1155'), maxLength: 32 })
    fc.assert(
      fc.property(fc.oneof(fc.string(), keys), (text) => {
        const number = parsePhone(text)
        if (number.kind !== 'invalid') expect(number.e164).toMatch(/^\+[1-9]\d{6,14}$/)
      }),
      { numRuns: 2000 },
    )
  })
})

// rule D11
describe('kinds', () => {
  const table: readonly (readonly [text: string, kind: NumberKind, why: string])[] = [
    ['+12125557812', 'ordinary', 'New York'],
    ['+14165550200', 'ordinary', 'Toronto, just past the made-up numbers'],
    ['+12125550099', 'ordinary', 'just before the made-up numbers'],
    ['+12125551212', 'ordinary', 'directory assistance rings'],
    ['+14362345678', 'ordinary', 'in service, unknown to published metadata'],
    ['+18612345678', 'ordinary', 'in service, unknown to published metadata'],
    ['+19242345678', 'ordinary', 'in service, unknown to published metadata'],
    ['+16242345678', 'ordinary', 'in service, unknown to published metadata'],
    ['+14572345678', 'ordinary', 'in service since 2025'],
    ['+14832345678', 'ordinary', 'in service since 2026'],
    ['+18672345678', 'ordinary', 'Yukon'],
    ['+18002345678', 'toll_free', 'toll-free'],
    ['+18332345678', 'toll_free', 'toll-free'],
    ['+18442345678', 'toll_free', 'toll-free'],
    ['+18552345678', 'toll_free', 'toll-free'],
    ['+18662345678', 'toll_free', 'toll-free'],
    ['+18772345678', 'toll_free', 'toll-free'],
    ['+18882345678', 'toll_free', 'toll-free'],
    ['+18004117246', 'toll_free', 'toll-free numbers have no exchange'],
    ['+19002345678', 'premium', '900'],
    ['+12129761234', 'premium', 'exchange 976'],
    ['+14169761234', 'premium', 'exchange 976 in Canada'],
    ['+18762345678', 'international', 'Jamaica'],
    ['+16582345678', 'international', 'Jamaica'],
    ['+12422345678', 'international', 'Bahamas'],
    ['+14412345678', 'international', 'Bermuda'],
    ['+18092345678', 'international', 'Dominican Republic'],
    ['+17872345678', 'international', 'Puerto Rico'],
    ['+19392345678', 'international', 'Puerto Rico'],
    ['+13402345678', 'international', 'US Virgin Islands'],
    ['+16712345678', 'international', 'Guam'],
    ['+16702345678', 'international', 'Northern Marianas'],
    ['+16842345678', 'international', 'American Samoa'],
    ['+18769761234', 'international', '976 in Jamaica is Jamaica first'],
    ['+442071838750', 'international', 'London'],
    ['+44 (0)20 7183 8750', 'international', 'London, with its trunk zero'],
    ['011 44 20 7183 8750', 'international', 'London, dialed from America'],
    ['0044 20 7183 8750', 'international', 'London, dialed from Europe'],
    ['+5255 1234 5678', 'international', 'Mexico'],
    ['+80012345678', 'international', 'international freephone'],
    ['+15550100001', 'reserved', 'interested lead'],
    ['(555) 010-0002', 'reserved', 'voicemail, in another format'],
    ['+15550100000', 'made_up', 'beside the reserved'],
    ['+15550100003', 'made_up', 'beside the reserved'],
    ['+15550199999', 'made_up', 'the last of the range'],
    ['555-014-2345', 'made_up', 'in the range'],
    ['+12125550100', 'made_up', '555-0100'],
    ['+12125550199', 'made_up', '555-0199'],
    ['800-555-0123', 'made_up', '555-0123, toll-free'],
    ['+18765550123', 'made_up', '555-0123, Jamaica'],
    ['+15555550123', 'made_up', '555-0123 in area code 555'],
    ['+15550200001', 'invalid', 'past the range: 020 is no exchange'],
    ['+15552345678', 'invalid', 'area code 555 is nobody’s'],
    ['+12121234567', 'invalid', 'an exchange begins with 2 to 9'],
    ['+12120234567', 'invalid', 'an exchange begins with 2 to 9'],
    ['+12129112345', 'invalid', 'N11 is no exchange'],
    ['+12122112345', 'invalid', 'N11 is no exchange'],
    ['+19112345678', 'invalid', 'N11 is no area code'],
    ['+10123456789', 'invalid', 'an area code begins with 2 to 9'],
    ['+11123456789', 'invalid', 'an area code begins with 2 to 9'],
    ['+12992345678', 'invalid', 'area code not in service'],
    ['+13702345678', 'invalid', 'area code not in service'],
    ['+15652345678', 'invalid', 'announced for 2028'],
    ['+15002345678', 'invalid', 'personal number'],
    ['+15222345678', 'invalid', 'machines'],
    ['+16002345678', 'invalid', 'Canadian non-geographic'],
    ['+16222345678', 'invalid', 'Canadian non-geographic'],
    ['+17002345678', 'invalid', 'one carrier’s services'],
    ['+17102345678', 'invalid', 'government'],
    ['+18222345678', 'invalid', 'kept for toll-free, not yet in service'],
  ]
  it.each(table)('%s is %s (%s)', (text, kind) => {
    expect(parsePhone(text).kind).toBe(kind)
  })

  it('has exactly two reserved numbers among the made-up ones', () => {
    const all = Array.from({ length: 100_000 }, (_, i) => parsePhone(`+155501${String(i).padStart(5, '0')}`))
    const kept = all.filter(({ kind }) => kind === 'reserved')
    expect(kept).toEqual([
      { kind: 'reserved', e164: '+15550100001' },
      { kind: 'reserved', e164: '+15550100002' },
    ])
    expect(all.filter(({ kind }) => kind === 'made_up')).toHaveLength(99_998)
  })

  it('gives every area code one kind', () => {
    const kinds = ['geographic', 'toll_free', 'premium', 'international', 'other'] as const
    const codes = kinds.flatMap((kind) => areaCodesOf(kind))
    expect(new Set(codes).size).toBe(codes.length)
    for (const code of codes) expect(code).toMatch(/^[2-9][0-8]\d$/)
    expect(areaCodesOf('geographic').length).toBeGreaterThan(420)
    expect(areaCodeKind('212')).toBe('geographic')
    expect(areaCodeKind('211')).toBeUndefined()
  })
})

// rule F2
describe('what messages show', () => {
  it.each([
    ['+12125557812 is listed', '+*******7812 is listed'],
    ['(212) 555-7812', '(***) ***-7812'],
    ['1-212-555-7812.', '*-***-***-7812.'],
    ['212-555-0100 to 555-0199', '***-***-0100 to ***-0199'],
    ['call 212.555.7812, or 555-7812', 'call ***.***.7812, or ***-7812'],
    ['"2125557812"', '"******7812"'],
    ['212555781 is too short', '*****5781 is too short'],
    ['+44 20 7183 8750', '+** ** **** 8750'],
    ['ann.lee@example.com', 'a***@example.com'],
    ['Ann <ann@mail.example.co.uk> at +12125557812', 'Ann <a***@mail.example.co.uk> at +*******7812'],
  ])('masks %j as %j', (text, masked) => {
    expect(maskPersonalData(text)).toBe(masked)
  })

  it.each([
    'lead 0b7f3c1e-2125-4555-8781-212555781234 is not there',
    'scheduled for 2026-11-21T03:22:00.000Z',
    'from 2026-11-21 to 2026-11-30',
    'over 1048576 bytes, or 5,000 leads, or 60 in 24 hours',
    'reserved for examples (555-0100 to 555-0199)',
    'req_2125557812 and evt_21255578121',
  ])('leaves %j as it is', (text) => {
    expect(maskPersonalData(text)).toBe(text)
  })

  it('shows at most four digits of any number, in any format', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2_000_000_000, max: 9_999_999_999 }).map(String),
        fc.constantFrom('+1##########', '(###) ###-####', '###.###.####', '1-###-###-####', '+1 ### ### ####'),
        (digits, shape) => {
          let next = 0
          const text = shape.replace(/#/g, () => digits[next++] ?? '')
          const shown = maskPersonalData(`The number ${text} is taken.`).replace(/\D/g, '')
          expect(shown).toBe(digits.slice(-4))
        },
      ),
    )
  })
})
