import { setTimeout } from 'node:timers/promises';

/** Resolves when the address answers with success, and, if it is /ready, with no node still being discovered. @throws when it does not within two minutes */
export const answering = async (url: string): Promise<void> => {
  for (let attempt = 0; attempt < 1_200; attempt++) {
    const answer = await fetch(url).catch(() => null);
    if (answer?.ok && !(await answer.text()).includes('"discovering"')) return;
    await setTimeout(100);
  }
  throw new Error(`${url} does not answer`);
};
