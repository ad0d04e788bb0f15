/**
 * Writes sound as a WAV file: one channel, 16-bit samples, 8,000 samples per second as on the telephone. Generated in
 * pieces.
 */

export const samplesPerSecond = 8_000
const bytesPerSample = 2
const headerBytes = 44

/** The header has 32-bit sizes, so longer sound is cut after about 74 hours. */
const samplesMax = Math.floor((2 ** 32 - 1 - headerBytes) / bytesPerSample)

/** Returns sample number `n`, from -1 to 1. */
export type Sound = (n: number) => number

export const samplesIn = (ms: number): number => Math.min(samplesMax, Math.round((ms * samplesPerSecond) / 1000))

/** The size of the whole file. */
export const wavBytes = (samples: number): number => headerBytes + samples * bytesPerSample

/** Generates the file one second at a time, so that a long file needs no more memory than a short one. */
export function* writeWavPieces(sound: Sound, samples: number): Generator<Buffer> {
  yield wavHeader(samples * bytesPerSample)
  for (let first = 0; first < samples; first += samplesPerSecond) {
    const count = Math.min(samplesPerSecond, samples - first)
    const piece = Buffer.allocUnsafe(count * bytesPerSample)
    for (let i = 0; i < count; i++) piece.writeInt16LE(Math.round(sound(first + i) * 0x7fff), i * bytesPerSample)
    yield piece
  }
}

/** A RIFF header with a `fmt ` chunk for plain PCM and a `data` chunk of `dataBytes` bytes. */
function wavHeader(dataBytes: number): Buffer {
  const bytes = Buffer.alloc(headerBytes)
  bytes.write('RIFF', 0, 'latin1')
  bytes.writeUInt32LE(headerBytes - 8 + dataBytes, 4)
  bytes.write('WAVEfmt ', 8, 'latin1')
  bytes.writeUInt32LE(16, 16)
  bytes.writeUInt16LE(1, 20)
  bytes.writeUInt16LE(1, 22)
  bytes.writeUInt32LE(samplesPerSecond, 24)
  bytes.writeUInt32LE(samplesPerSecond * bytesPerSample, 28)
  bytes.writeUInt16LE(bytesPerSample, 32)
  bytes.writeUInt16LE(bytesPerSample * 8, 34)
  bytes.write('data', 36, 'latin1')
  bytes.writeUInt32LE(dataBytes, 40)
  return bytes
}
