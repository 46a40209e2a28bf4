// Checks the types of the three projects: the program with its tests, the portal, and the portal's tests. One thread takes
// half of the processor time of several, and linting runs beside it.
import { compile } from './compile.js';

for (const project of ['.', 'portal', 'test/portal']) compile(project, '--noEmit', '--singleThreaded');
