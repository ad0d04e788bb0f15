/** The form that loads one lead into a campaign, as people do in the app. */
import { action, quote } from '../api/action.js'
import { goTo, addressOf, mode, organizationId } from '../api/place.js'
import { organization } from '../api/world.js'
import { FormButton, type Values } from './action-button.js'

/** Numbers that can be called in either mode. The reserved ones have fixed outcomes in test mode. */
const samplePhone = () => (mode.value === 'test' ? '+15550100001' : '+12125557812')

export function AddLead() {
  const campaigns = organization.value?.campaigns ?? []
  const build = ({ campaign_id = '', name = '', phone = '', external_id = '' }: Values) =>
    action(
      'loadLeads',
      {
        body: {
          campaign_id,
          mode: mode.value,
          ...(organizationId.value !== undefined && { organization_id: organizationId.value }),
          leads: [{ phone, ...(name !== '' && { name }), ...(external_id !== '' && { external_id }) }],
        },
      },
      `svc simulate leads load --campaign ${campaign_id} --phone ${quote(phone)}${name === '' ? '' : ` --name ${quote(name)}`}${external_id === '' ? '' : ` --external-id ${quote(external_id)}`} --mode ${mode.value}`,
      ({ data }) => data.ids[0] !== undefined && goTo(addressOf({ screen: 'leads', id: data.ids[0] })),
    )
  return (
    <FormButton
      label="Add lead"
      tone="main"
      said="The lead was added."
      isDisabled={campaigns.length === 0}
      fields={[
        { name: 'name', label: 'Name', value: 'Ann Example' },
        { name: 'phone', label: 'Phone', value: samplePhone(), isRequired: true },
        {
          name: 'campaign_id',
          label: 'Campaign',
          type: 'select',
          options: campaigns.map(({ id, name }) => [id, name]),
        },
        { name: 'external_id', label: 'External id (optional)' },
      ]}
      build={build}
    />
  )
}
