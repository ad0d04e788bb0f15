/**
 * The clocks of the United States and Canada from 2020 on. Made by scripts/zone-rules.js from the tz database, version
 * 2026f, as carried by moment-timezone 0.6.6; checked there, change by change, until 2100.
 */

/** Until an instant: minutes east of UTC in standard time, and whether an hour is added in summer. */
export type Era = readonly [until: number, standard: number, savesDaylight: boolean]

export const zoneRules: readonly (readonly [zones: string, eras: readonly Era[]])[] = [
  ['America/Adak America/Atka US/Aleutian', [[Infinity, -600, true]]],
  [
    'America/Anchorage America/Juneau America/Metlakatla America/Nome America/Sitka America/Yakutat US/Alaska',
    [[Infinity, -540, true]],
  ],
  ['America/Atikokan America/Coral_Harbour America/Panama', [[Infinity, -300, false]]],
  ['America/Blanc-Sablon America/Puerto_Rico America/Virgin', [[Infinity, -240, false]]],
  ['America/Boise America/Cambridge_Bay America/Denver America/Shiprock US/Mountain', [[Infinity, -420, true]]],
  [
    `America/Chicago America/Indiana/Knox America/Indiana/Tell_City America/Knox_IN America/Menominee
     America/North_Dakota/Beulah America/North_Dakota/Center America/North_Dakota/New_Salem America/Rankin_Inlet
     America/Resolute US/Central US/Indiana-Starke`,
    [[Infinity, -360, true]],
  ],
  ['America/Creston America/Dawson_Creek America/Fort_Nelson America/Phoenix US/Arizona', [[Infinity, -420, false]]],
  [
    'America/Dawson America/Whitehorse Canada/Yukon',
    [
      [Date.parse('2020-03-08T10:00Z'), -480, true],
      [Infinity, -420, false],
    ],
  ],
  [
    `America/Detroit America/Fort_Wayne America/Indiana/Indianapolis America/Indiana/Marengo
     America/Indiana/Petersburg America/Indiana/Vevay America/Indiana/Vincennes America/Indiana/Winamac
     America/Iqaluit America/Kentucky/Louisville America/Kentucky/Monticello America/Louisville America/Montreal
     America/New_York America/Nipigon America/Pangnirtung America/Thunder_Bay America/Toronto Canada/Eastern
     US/Eastern US/Michigan`,
    [[Infinity, -300, true]],
  ],
  [
    'America/Edmonton America/Inuvik America/Yellowknife Canada/Mountain',
    [
      [Date.parse('2026-03-08T09:00Z'), -420, true],
      [Infinity, -360, false],
    ],
  ],
  ['America/Glace_Bay America/Goose_Bay America/Halifax America/Moncton Canada/Atlantic', [[Infinity, -240, true]]],
  ['America/Los_Angeles US/Pacific', [[Infinity, -480, true]]],
  [
    'America/Rainy_River America/Winnipeg Canada/Central',
    [
      [Date.parse('2026-03-08T08:00Z'), -360, true],
      [Infinity, -300, false],
    ],
  ],
  ['America/Regina America/Swift_Current Canada/Saskatchewan', [[Infinity, -360, false]]],
  ['America/St_Johns Canada/Newfoundland', [[Infinity, -210, true]]],
  [
    'America/Vancouver Canada/Pacific',
    [
      [Date.parse('2026-03-08T10:00Z'), -480, true],
      [Infinity, -420, false],
    ],
  ],
  ['Pacific/Honolulu US/Hawaii', [[Infinity, -600, false]]],
]
