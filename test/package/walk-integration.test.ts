/** Types the commands of the pages for developers at a terminal. */
import { walks } from '../support/document.js'
import { itShows } from '../support/programs/walk.js'

itShows(walks.integration)
