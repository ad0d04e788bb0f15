/** How a request proves whose it is (specification, Authentication). */

export interface Key {
  /** `ck_...`; undefined where only the secret is known. */
  id?: string | undefined
  /** `cs_...` */
  secret: string
}

/** The `Authorization` header: Basic where the key's id is known, the secret alone as a Bearer token otherwise. */
export function authorization({ id, secret }: Key): string {
  return id ? `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` : `Bearer ${secret}`
}
