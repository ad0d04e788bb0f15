/** Downloads a signed link without a key. */
import { request } from 'undici'

export async function download(url: string) {
  const { statusCode, headers, body } = await request(url)
  const bytes = Buffer.from(await body.arrayBuffer())
  return { status: statusCode, headers, bytes, text: bytes.toString('utf8') }
}
