import { parentPort, workerData } from 'node:worker_threads';
import type { Highs } from 'highs';
import { auditSets, type LinearSolver } from '../audit/joint-audit.ts';
import type { JointTable } from '../audit/joint-tables.ts';
import type { SetsReply, SetsTask } from './audit-sets.ts';

/** @returns null if the optional package is not installed */
const loadHighs = async (): Promise<Highs | null> => {
  try {
    const loaded: { readonly default: unknown } = await import('highs');
    return isLoader(loaded.default) ? await loaded.default() : null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND') return null;
    throw error;
  }
};

/** The types of the package describe its default export as a module. */
const isLoader = (value: unknown): value is () => Promise<Highs> => typeof value === 'function';

/** The unknown counts of a joint table as a model that is solved again for each cell, starting from its last solution. */
const solverOf =
  ({ createModel, constants, infinity }: Highs) =>
  ({ columns, sums }: JointTable): LinearSolver => {
    const starts = new Int32Array(sums.length + 1);
    sums.forEach(({ columns: own }, row) => (starts[row + 1] = starts[row]! + own.length));
    const indices = Int32Array.from(sums.flatMap((sum) => sum.columns));
    const model = createModel({
      numCols: columns,
      numRows: sums.length,
      colCost: new Float64Array(columns),
      colLower: new Float64Array(columns),
      colUpper: new Float64Array(columns).fill(infinity),
      rowLower: sums.map(({ lower }) => lower),
      rowUpper: sums.map(({ upper }) => upper),
      matrix: {
        ...{ format: 'csr', numRows: sums.length, numCols: columns, starts, indices },
        values: new Float64Array(indices.length).fill(1),
      },
    });
    // the primal simplex continues from the last solution, which stays feasible for the next cell
    model.options.set({ output_flag: false, presolve: 'off', simplex_strategy: 4 });
    let sought: readonly number[] = [];
    return {
      valuesAt: (end, wanted) => {
        if (sought.length > 0)
          model.changeColsCost({ kind: 'set', indices: sought }, new Float64Array(sought.length));
        sought = wanted;
        const cost = new Float64Array(wanted.length).fill(end === 'least' ? 1 : -1);
        model.changeColsCost({ kind: 'set', indices: wanted }, cost);
        const { modelStatus } = model.run();
        return modelStatus === constants.modelStatus.optimal ? model.getSolution().rowValue : null;
      },
      close: () => model.dispose(),
    };
  };

const { table, counts, required } = workerData as SetsTask;
const highs = await loadHighs();
const reply: SetsReply = highs && auditSets(table, counts, required, solverOf(highs));
parentPort!.postMessage(reply);
