/** A person in an organization who takes over calls from the AI. */

export type MemberRole = 'sdr' | 'closer'

export interface Member {
  n: number
  id: string
  organization: number
  name: string
  role: MemberRole
}
