/** The pages for developers, typed at a terminal as somebody who follows them would. */
import { walks } from '../support/document.js'
import { itShows } from '../support/walk.js'

itShows(walks.integration)
