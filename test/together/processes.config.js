import shared from '../../ava.config.js';
import { processFiles } from './groups.ts';

/** The tests that start processes: `npm run test:all -- processes`. */
export default { ...shared, files: processFiles };
