import { readFile } from 'node:fs/promises';

/** Processor time of a process so far, its threads included, in steps of 10 ms. Linux only. */
export const processorMs = async (pid: number): Promise<number> => {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]!.split(' ');
  // user and system time in ticks of 10 ms
  return (Number(fields[11]) + Number(fields[12])) * 10;
};
