/** Corrections of wrong or missing time zones in published-zones.ts, each with its reason. */

interface ZoneCorrection {
  readonly areaCodes: string
  readonly zones: string
  readonly why: string
}

const britishColumbia = 'America/Creston America/Dawson_Creek America/Edmonton America/Fort_Nelson America/Vancouver'

export const zoneCorrections: readonly ZoneCorrection[] = [
  { areaCodes: '436', zones: 'America/New_York', why: 'Overlay of 440, Ohio, since 2024.' },
  { areaCodes: '465', zones: 'America/New_York', why: 'Overlay of 718, New York City, due in 2026.' },
  { areaCodes: '624', zones: 'America/New_York', why: 'Overlay of 716, New York, since 2024.' },
  { areaCodes: '679', zones: 'America/New_York', why: 'Overlay of 313, Michigan, since November 2025.' },
  { areaCodes: '457', zones: 'America/Chicago', why: 'Overlay of 318, Louisiana, since September 2025.' },
  { areaCodes: '471', zones: 'America/Chicago', why: 'Overlay of 662, Mississippi, since January 2026.' },
  { areaCodes: '483', zones: 'America/Chicago', why: 'Overlay of 334, Alabama, since February 2026.' },
  { areaCodes: '621', zones: 'America/Chicago', why: 'Overlay of 713, Texas, since January 2025.' },
  { areaCodes: '861', zones: 'America/Chicago', why: 'Overlay of 309, Illinois, since 2023.' },
  { areaCodes: '924', zones: 'America/Chicago', why: 'Overlay of 507, Minnesota, since 2024.' },
  { areaCodes: '357', zones: 'America/Los_Angeles', why: 'Overlay of 559, California, since March 2025.' },
  { areaCodes: '837', zones: 'America/Los_Angeles', why: 'Overlay of 530, California, since January 2025.' },
  { areaCodes: '387', zones: 'America/Toronto', why: 'Kept as the next overlay of 416, Toronto.' },
  { areaCodes: '689', zones: 'America/New_York', why: 'Orlando; published as Central.' },
  { areaCodes: '364', zones: 'America/Chicago America/New_York', why: 'Overlay of 270, which is split.' },
  { areaCodes: '448', zones: 'America/Chicago America/New_York', why: 'Overlay of 850, which is split.' },
  { areaCodes: '729', zones: 'America/Chicago America/New_York', why: 'Overlay of 423, which is split.' },
  { areaCodes: '930', zones: 'America/Chicago America/New_York', why: 'Overlay of 812, which is split.' },
  { areaCodes: '458', zones: 'America/Denver America/Los_Angeles', why: 'Overlay of 541, which is split.' },
  {
    areaCodes: '907',
    zones: 'America/Adak America/Anchorage America/Juneau',
    why: 'Unalaska, 907-581, keeps the time of Anchorage, not that of Honolulu.',
  },
  {
    areaCodes: '236 250 257 672 778',
    zones: britishColumbia,
    why: 'The south-east has the time of Alberta and the north-east its own; the overlays reach as far as 250 does.',
  },
  {
    areaCodes: '867',
    zones: `America/Atikokan America/Cambridge_Bay America/Dawson America/Edmonton America/Inuvik America/Iqaluit
            America/Rankin_Inlet America/Resolute America/Whitehorse`,
    why: 'Yukon left Pacific time in 2020, and Coral Harbour, on the time of Atikokan, never changes its clocks.',
  },
  {
    areaCodes: '306 474 639',
    zones: 'America/Edmonton America/Regina',
    why: 'Lloydminster has the time of Alberta; 474 was published as Manitoba.',
  },
  {
    areaCodes: '807',
    zones: 'America/Atikokan America/Toronto America/Winnipeg',
    why: 'Atikokan never changes its clocks.',
  },
  {
    areaCodes: '273 367 418 581',
    zones: 'America/Blanc-Sablon America/Halifax America/Toronto',
    why: 'The Magdalen Islands and the lower north shore have Atlantic time; the overlays reach as far as 418 does.',
  },
  {
    areaCodes: '709 879',
    zones: 'America/Goose_Bay America/St_Johns',
    why: 'Newfoundland and Labrador; published with Puerto Rico.',
  },
]
