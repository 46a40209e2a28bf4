// Checks the types of the three projects: the program with its tests, the portal, and the portal's tests.
import { compile } from './compile.js';

for (const project of ['.', 'portal', 'test/portal']) compile(project, '--noEmit');
