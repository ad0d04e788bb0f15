/** Masks secrets of endpoints and keys in any text. */

/** The text with every secret replaced by its prefix and `***`. */
export const maskStoredSecrets = (text: string): string => text.replaceAll(/(whsec_|cs_(?:live|test)_)[\w-]+/g, '$1***')
