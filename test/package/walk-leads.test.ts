/** Types the commands of the pages about leads at a terminal. */
import { walks } from '../support/document.js'
import { itShows } from '../support/programs/walk.js'

itShows(walks.leads)
