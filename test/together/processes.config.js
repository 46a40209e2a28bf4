import shared from '../../ava.config.js';
import { processFiles } from './groups.ts';

/** The tests that start processes: `npm run test:processes`. */
export default { ...shared, files: processFiles };
