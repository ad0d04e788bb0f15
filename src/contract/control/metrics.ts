/** Metrics of the simulator in the Prometheus text format. */
import * as z from 'zod'
import { endpoint } from '../base/endpoint.js'
import { noBody, noParams, noQuery } from '../base/empty-body.js'

export const getMetrics = endpoint({
  id: 'metrics.get',
  method: 'GET',
  path: '/_sim/metrics',
  summary: 'Read metrics in the Prometheus text format',
  permissions: [],
  params: noParams,
  query: noQuery,
  body: noBody,
  replies: { 200: z.string() },
  refusals: [],
})
