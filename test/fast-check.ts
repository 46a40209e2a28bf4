import fc from 'fast-check';

/**
 * fast-check with one seed for every run, so that a run of the tests can be compared with the last and none fails by
 * chance. FUZZ_SEED=n is another one: to repeat a failure, or to look further (`FUZZ_SEED=$RANDOM`).
 */
fc.configureGlobal({ seed: Number(process.env['FUZZ_SEED'] ?? 1) });

export default fc;
