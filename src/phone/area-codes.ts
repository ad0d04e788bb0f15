/**
 * The area codes of the North American Numbering Plan and their kinds.
 *
 * Source: reports and planning letters of the numbering plan administrator and of the Canadian administrator, as of
 * November 2026. A code is listed from the day on which its numbers can be assigned. 273, 387 and 465 are assigned
 * but have no confirmed date. They are listed anyway, because refusing a live number does more harm than calling a
 * dead one.
 */

/** `other` is assigned but has no subscribers in the United States or Canada (personal, machine, government). */
export type AreaCodeKind = 'geographic' | 'toll_free' | 'premium' | 'international' | 'other'

const unitedStates = {
  AL: '205 251 256 334 483 659 938',
  AK: '907',
  AZ: '480 520 602 623 928',
  AR: '327 479 501 870',
  CA: `209 213 279 310 323 341 350 357 369 408 415 424 442 510 530 559 562 619 626 628 650 657 661 669 707 714 738 747
       760 805 818 820 831 837 840 858 909 916 925 949 951`,
  CO: '303 719 720 748 970 983',
  CT: '203 475 860 959',
  DC: '202 771',
  DE: '302',
  FL: '239 305 321 324 352 386 407 448 561 645 656 689 727 728 754 772 786 813 850 863 904 941 954',
  GA: '229 404 470 478 678 706 762 770 912 943',
  HI: '808',
  IA: '319 515 563 641 712',
  ID: '208 986',
  IL: '217 224 309 312 331 447 464 618 630 708 730 773 779 815 847 861 872',
  IN: '219 260 317 463 574 765 812 930',
  KS: '316 620 785 913',
  KY: '270 364 502 606 859',
  LA: '225 318 337 457 504 985',
  MA: '339 351 413 508 617 774 781 857 978',
  MD: '227 240 301 410 443 667',
  ME: '207',
  MI: '231 248 269 313 517 586 616 679 734 810 906 947 989',
  MN: '218 320 507 612 651 763 924 952',
  MO: '235 314 417 557 573 636 660 816 975',
  MS: '228 471 601 662 769',
  MT: '406',
  NC: '252 336 472 704 743 828 910 919 980 984',
  ND: '701',
  NE: '308 402 531',
  NH: '603',
  NJ: '201 551 609 640 732 848 856 862 908 973',
  NM: '505 575',
  NV: '702 725 775',
  NY: '212 315 329 332 347 363 465 516 518 585 607 624 631 646 680 716 718 838 845 914 917 929 934',
  OH: '216 220 234 283 326 330 380 419 436 440 513 567 614 740 937',
  OK: '405 539 572 580 918',
  OR: '458 503 541 971',
  PA: '215 223 267 272 412 445 484 570 582 610 717 724 814 835 878',
  RI: '401',
  SC: '803 821 839 843 854 864',
  SD: '605',
  TN: '423 615 629 729 731 865 901 931',
  TX: `210 214 254 281 325 346 361 409 430 432 469 512 621 682 713 726 737 806 817 830 832 903 915 936 940 945 956 972
       979`,
  UT: '385 435 801',
  VA: '276 434 540 571 686 703 757 804 826 948',
  VT: '802',
  WA: '206 253 360 425 509 564',
  WI: '262 274 353 414 534 608 715 920',
  WV: '304 681',
  WY: '307',
}

const canada = {
  AB: '368 403 587 780 825',
  BC: '236 250 257 604 672 778',
  MB: '204 431 584',
  NB: '428 506',
  NL: '709 879',
  'NS PE': '782 902',
  'NT NU YT': '867',
  ON: '226 249 289 343 365 382 387 416 437 519 548 613 647 683 705 742 753 807 905 942',
  QC: '263 273 354 367 418 438 450 468 514 579 581 819 873',
  SK: '306 474 639',
}

/** The Caribbean, Bermuda and the US territories. They count as international (docs/decisions.md, rule D11). */
const elsewhere = {
  'American Samoa': '684',
  Anguilla: '264',
  'Antigua and Barbuda': '268',
  Bahamas: '242',
  Barbados: '246',
  Bermuda: '441',
  'British Virgin Islands': '284',
  'Cayman Islands': '345',
  Dominica: '767',
  'Dominican Republic': '809 829 849',
  Grenada: '473',
  Guam: '671',
  Jamaica: '658 876',
  Montserrat: '664',
  'Northern Mariana Islands': '670',
  'Puerto Rico': '787 939',
  'Saint Kitts and Nevis': '869',
  'Saint Lucia': '758',
  'Saint Vincent and the Grenadines': '784',
  'Sint Maarten': '721',
  'Trinidad and Tobago': '868',
  'Turks and Caicos Islands': '649',
  'United States Virgin Islands': '340',
}

const nonGeographic = {
  'toll-free': '800 833 844 855 866 877 888',
  'premium rate': '900',
  'personal numbers and machines': '500 521 522 523 524 525 526 527 528 529 532 533 544 566 577 588',
  'Canadian non-geographic services': '600 622 633',
  'services of one carrier': '700',
  'government of the United States': '710',
}

const kindOfService: Readonly<Record<string, AreaCodeKind>> = { 'toll-free': 'toll_free', 'premium rate': 'premium' }

const kinds = new Map<string, AreaCodeKind>()
const listAreaCodes = (places: Readonly<Record<string, string>>, kindOf: (place: string) => AreaCodeKind) => {
  for (const [place, codes] of Object.entries(places))
    for (const code of codes.split(/\s+/)) kinds.set(code, kindOf(place))
}
listAreaCodes(unitedStates, () => 'geographic')
listAreaCodes(canada, () => 'geographic')
listAreaCodes(elsewhere, () => 'international')
listAreaCodes(nonGeographic, (service) => kindOfService[service] ?? 'other')

/** The kind of a three-digit code; undefined if it is not assigned. */
export const areaCodeKind = (areaCode: string): AreaCodeKind | undefined => kinds.get(areaCode)

/** All area codes of one kind. */
export const areaCodesOf = (kind: AreaCodeKind): readonly string[] =>
  [...kinds].flatMap(([code, its]) => (its === kind ? [code] : [])).sort()
