/** Secrets of endpoints and keys, wherever somebody put them: shown to nobody again. */

/** The text with what makes a secret one left out. */
export const maskStoredSecrets = (text: string): string => text.replaceAll(/(whsec_|cs_(?:live|test)_)[\w-]+/g, '$1***')
