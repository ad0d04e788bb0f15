/** A person of an organization who takes calls over from the AI. */

export type MemberRole = 'sdr' | 'closer'

export interface Member {
  n: number
  id: string
  organization: number
  name: string
  role: MemberRole
}
