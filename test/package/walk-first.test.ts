/** Types the commands of the README and of the page about output at a terminal. */
import { walks } from '../support/document.js'
import { itShows } from '../support/programs/walk.js'

itShows(walks.first)
