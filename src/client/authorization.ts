/** The `Authorization` header of a request (rule K1). */

export interface Key {
  /** `ck_...`; undefined if only the secret is known. */
  id?: string | undefined
  /** `cs_...` */
  secret: string
}

/** Builds the header: Basic with the key id and secret, or the secret as a Bearer token if the id is unknown. */
export function authorizationHeader({ id, secret }: Key): string {
  return id ? `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` : `Bearer ${secret}`
}
