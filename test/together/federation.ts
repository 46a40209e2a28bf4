import './run.ts';
