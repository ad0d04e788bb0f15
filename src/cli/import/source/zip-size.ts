/** Unpacked size of a zip file as its directory declares it. Readers unpack no entry beyond its declared size. */

const endMark = 0x06054b50
const entryMark = 0x02014b50
/** A size that is in the extra field instead. */
const inExtraField = 0xffffffff
const zip64Field = 1

/** Sum over all entries. Infinity if the directory cannot be read, or an entry hides its size. */
export function unpackedSize(zip: Buffer): number {
  try {
    const end = zip.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]))
    if (end < 0 || zip.readUInt32LE(end) !== endMark) return Infinity
    const entries = zip.readUInt16LE(end + 10)
    let at = zip.readUInt32LE(end + 16)
    let bytes = 0
    for (let nth = 0; nth < entries; nth++) {
      if (zip.readUInt32LE(at) !== entryMark) return Infinity
      bytes += entrySize(zip, at)
      at += 46 + zip.readUInt16LE(at + 28) + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32)
    }
    return bytes
  } catch (error) {
    // A place outside the file.
    if (error instanceof RangeError) return Infinity
    throw error
  }
}

function entrySize(zip: Buffer, at: number): number {
  const [packed, unpacked] = [zip.readUInt32LE(at + 20), zip.readUInt32LE(at + 24)]
  if (unpacked === 0 && packed > 2) return Infinity
  if (unpacked !== inExtraField) return unpacked
  const begin = at + 46 + zip.readUInt16LE(at + 28)
  const end = begin + zip.readUInt16LE(at + 30)
  for (let field = begin; field < end; field += 4 + zip.readUInt16LE(field + 2))
    if (zip.readUInt16LE(field) === zip64Field) return Number(zip.readBigUInt64LE(field + 4)) || Infinity
  return Infinity
}
